import { constants } from 'node:os'
import { exitedWith, wasKilled } from '../domain/log/log-endings.ts'

/** More than the last line of a program takes. */
const longestLine = 200

/** Keeps the end of a job's output, which shows whether its program came to its end. */
export interface Tail {
  add(bytes: Uint8Array): void
  text(): string
}

export function createTail(): Tail {
  let kept = Buffer.alloc(0)
  return {
    add(bytes) {
      const end = bytes.subarray(-longestLine)
      kept = Buffer.concat([kept, end]).subarray(-longestLine)
    },
    text: () => kept.toString('latin1').replaceAll('\r', ''),
  }
}

/**
 * What to add to the log of a job whose shell was killed. Undefined for a program that wrote its
 * last line, as it does when a command of it ends with such a code.
 */
export function killedText(code: number, tail: string): string | undefined {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  if (signal === undefined || tail.endsWith(exitedWith(String(code)))) return undefined
  return wasKilled(signal, code)
}
