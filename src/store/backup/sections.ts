import { createHash } from 'node:crypto'
import { endOfRows } from './format.ts'

/** Longer than any header; a file that is not a backup may have no lines at all. */
const longestLine = 16 * 1024 ** 2

/** Reads the text of a backup from its beginning, and hashes the text read so far. */
export interface Sections {
  /** The next line, without its end. Undefined if the text ends before the end of the line. */
  line(): Promise<string | undefined>
  /**
   * The rows up to the end of the section, in pieces. Throws `Cut` if the text ends before that.
   */
  rows(): AsyncGenerator<Buffer>
  /** Whether the text has ended. */
  isOver(): Promise<boolean>
  /** The checksum of the text read so far. */
  digest(): string
}

/** The text ends too early. */
export class Cut extends Error {}

export function sectionsOf(chunks: AsyncIterable<Buffer>): Sections {
  const source = chunks[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)

  async function readOn(): Promise<boolean> {
    const { value, done } = await source.next()
    if (done === true) return false
    held = Buffer.concat([held, value])
    return true
  }
  async function readOnOrThrow(): Promise<void> {
    if (!(await readOn())) throw new Cut()
  }
  function take(bytes: number): Buffer {
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    hash.update(taken)
    return taken
  }

  return {
    async line() {
      let end = -1
      while ((end = held.indexOf('\n')) < 0) {
        if (held.length > longestLine || !(await readOn())) return undefined
      }
      return take(end + 1)
        .subarray(0, -1)
        .toString('utf8')
    },

    async *rows() {
      while (held.length < endOfRows.length) await readOnOrThrow()
      if (held.indexOf(endOfRows) === 0) {
        take(endOfRows.length)
        return
      }
      let end = -1
      while ((end = held.indexOf(`\n${endOfRows}`)) < 0) {
        // The last bytes may be the beginning of the end marker.
        const certain = held.length - endOfRows.length
        if (certain > 0) yield take(certain)
        await readOnOrThrow()
      }
      yield take(end + 1)
      take(endOfRows.length)
    },

    isOver: async () => held.length === 0 && !(await readOn()),

    digest: () => hash.copy().digest('hex'),
  }
}
