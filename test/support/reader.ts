import type { Reader } from '../../src/reader/reader.ts'

/** Does all at once, with the copies that a thread would get and return; it costs no one anything. */
export const directReader: Reader = {
  async run(work, input) {
    const result = await work.run(structuredClone(input))
    return { result: structuredClone(result), spent: 0 }
  },
}
