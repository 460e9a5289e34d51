import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { endedShell, exitedWith, wasKilled } from '../texts/log-endings.ts'

/** Longer than the last line of any program. */
const longestLine = 200

/** Keeps the end of a job's output, which shows whether its program finished. */
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

/** Last line of a job's program that cannot tell whether a signal ended its shell. */
const openEnd = new RegExp(`${endedShell(String.raw`(?: with (?<own>\d+))?`, String.raw`\w+`)}\n$`)

/**
 * Text to append to the log of a job: that its shell was killed, or the last line, if the program left
 * the line open. Undefined for a program that wrote its last line, as it does when one of its commands
 * exits with the code of a signal.
 */
export function endingText(code: number, tail: string): string | undefined {
  const last = exitedWith(String(code))
  if (tail.endsWith(last)) return undefined
  const end = openEnd.exec(stripVTControlCharacters(tail))
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  if (signal !== undefined && end?.groups?.own !== String(code)) return wasKilled(signal, code)
  return end ? last.replaceAll('\n', '\r\n') : undefined
}
