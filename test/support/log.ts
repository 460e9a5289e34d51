import { type Logger, pino } from 'pino'

export interface CapturedLog {
  log: Logger
  /** Each line so far. */
  lines(): Record<string, unknown>[]
  /** All that was written, as it was written. */
  text(): string
}

/** A log that a test can read. */
export function capturedLog(): CapturedLog {
  const written: string[] = []
  return {
    log: pino({ level: 'trace' }, { write: (line: string) => void written.push(line) }),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => written.join(''),
  }
}
