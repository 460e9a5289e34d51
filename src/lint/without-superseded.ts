import { withoutForeign } from '../domain/request/shown-messages.ts'
import type { Finding } from './finding.ts'

interface Separated {
  findings: Finding[]
  /** What a more telling finding makes pointless. */
  superseded: Finding[]
}

/** Takes out what only repeats another finding; what that is about is not lost. */
export function withoutSuperseded(found: readonly Finding[]): Separated {
  // In most files nothing stands for anything else.
  if (!found.some(({ code }) => telling.has(code))) return { findings: [...found], superseded: [] }
  const kept = new Set(withoutForeign(found))
  const plain = found.filter(({ code }) => code === 'unreadable_secure')
  const isKept = (finding: Finding) =>
    kept.has(finding) &&
    // How a secret is encrypted that is none.
    !(finding.code === 'invalid_secure' && plain.some((each) => isAround(finding, each)))
  return { findings: found.filter(isKept), superseded: found.filter((finding) => !isKept(finding)) }
}

const telling: ReadonlySet<string> = new Set(['file_of_another_service', 'unreadable_secure'])

/** Whether the place of one finding holds that of another. */
function isAround(outer: Finding, inner: Finding): boolean {
  const isSameLine = outer.line === inner.line && outer.end_line === inner.end_line
  const begins = (outer.column ?? 0) <= (inner.column ?? 0)
  return isSameLine && begins && (outer.end_column ?? 0) >= (inner.end_column ?? 0)
}
