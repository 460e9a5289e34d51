import { fstatSync, statSync, writeSync } from 'node:fs'
import { endWithReader } from '../run-program.ts'
import { UsageError } from '../explain.ts'
import { isColoured, wantedColours } from '../terminal.ts'

/** Where a command writes to, by its number. Streams take longer to load than to lint a file. */
export const output = { standard: 1, error: 2 } as const

/** Whether a stream still has something to write. */
let waits = false

type Output = (typeof output)[keyof typeof output]

/** Writes all of a text at once; `UsageError` where that cannot be. A pipe that no one reads any more ends the program. */
export function print(text: string, to: Output = output.standard): void {
  let rest = Buffer.from(text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(to, rest))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') process.exit(0)
    if (code !== 'EAGAIN') throw new UsageError(`its output cannot be written: ${code}`)
    // The pipe does not block, so a stream has to wait.
    endWithReader()
    waits = true
    streamOf(to).write(rest)
  }
}

/** Ends the program, which takes less time than to let it end; not before all is written. */
export function endWhenPrinted(): void {
  if (!waits) process.exit()
}

/** Whether colours are wanted there. */
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
