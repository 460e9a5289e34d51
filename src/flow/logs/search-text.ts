import { findTokens, type FoundToken } from '../../domain/text/token-shapes.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import { workOf } from '../../reader/work.ts'
import { maskTexts } from '../../runner/masking/job-masker.ts'
import { stretchesOf } from '../../runner/masking/masker.ts'
import type { Context } from '../context.ts'

/** The number of bytes searched at once, and of bytes of the next piece searched with them. */
const windowBytes = 512 * 1024
const overlapBytes = 128 * 1024

export type Search = (text: string) => Promise<FoundToken[]>

interface ScanInput {
  /** Text in UTF-8. */
  bytes: Uint8Array
  /** The secrets that the job was given. */
  secrets: readonly string[]
}

/** Finds the secrets of a job in a text, in all forms that the runner masks, and tokens of well-known services. */
export const scanWork = workOf(
  import.meta.url,
  'scanWork',
  ({ bytes, secrets }: ScanInput): FoundToken[] => [
    ...stretchesOf(maskTexts(secrets), bytes).map(({ from, to }) => ({
      kind: 'secret of the job',
      from,
      to,
    })),
    ...findTokens(Buffer.from(bytes).toString('latin1')),
  ],
)

/** Searches texts outside of the event loop, in pieces, because a log can be long. */
export function searchFor(ctx: Context, id: number, secrets: readonly string[]): Search {
  return async (text) => {
    const bytes = Buffer.from(text)
    const found: FoundToken[] = []
    for (let start = 0; start < bytes.length; start += windowBytes) {
      const piece = new Uint8Array(bytes.subarray(start, start + windowBytes + overlapBytes))
      try {
        const turn = { of: 'pushes' as const, key: 'finished logs' }
        const { result } = await ctx.reader.run(scanWork, { bytes: piece, secrets }, { turn })
        for (const { kind, from, to } of result) {
          // The beginning of a piece was searched with the piece before, which has the characters before it.
          if (from === 0 && start > 0) continue
          found.push({ kind, from: start + from, to: start + to })
        }
      } catch (error) {
        if (!(error instanceof ReadingLimit)) throw error
        ctx.log.warn({ job_id: id, from: start }, 'a piece of a log takes too long to search')
      }
    }
    return found
  }
}
