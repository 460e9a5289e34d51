import { fstatSync, statSync, writeSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { endWithReader } from '../run-program.ts'
import { isColoured, wantedColours } from '../terminal.ts'

/** File descriptors for output. Streams take longer to load than linting a file takes. */
export const output = { standard: 1, error: 2 } as const

/** Whether a stream still has text to write. */
let waits = false

type Output = (typeof output)[keyof typeof output]

/** Writes a whole text immediately; `UsageError` if that fails. A pipe without a reader ends the program. */
export function print(text: string, to: Output = output.standard): void {
  let rest = Buffer.from(text)
  if (waits) {
    streamOf(to).write(rest)
    return
  }
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(to, rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') process.exit(0)
    if (code !== 'EAGAIN') throw new UsageError(`its output cannot be written: ${code}`)
    // The pipe is non-blocking and full, so a stream has to wait.
    endWithReader()
    waits = true
    streamOf(to).write(rest)
  }
}

/** Ends the program immediately, which is faster than a normal end, unless a stream is still writing. */
export function endWhenPrinted(): void {
  if (!waits) process.exit()
}

/** Whether this output should have colours. */
export function wantsColour(to: Output): boolean {
  const wanted = wantedColours()
  if (wanted !== undefined) return wanted
  const stats = fstatSync(to)
  if (!stats.isCharacterDevice()) return false
  const isNowhere = stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  return !isNowhere && isColoured(streamOf(to))
}

function streamOf(to: Output): NodeJS.WriteStream {
  return to === output.standard ? process.stdout : process.stderr
}
