import type { Finding } from './finding.ts'

interface Separated {
  findings: Finding[]
  /** What a more telling finding makes pointless. */
  superseded: Finding[]
}

/**
 * Takes out what only repeats another finding: how a secret is encrypted that is none, and what the keys
 * do in a file of another service, where nothing but what stops builds and what is secret matters.
 */
export function withoutSuperseded(found: readonly Finding[]): Separated {
  const isForeign = found.some(({ code }) => code === 'file_of_another_service')
  const plain = found.filter(({ code }) => code === 'unreadable_secure')
  const isSuperseded = (finding: Finding) =>
    (isForeign && !mattersAnywhere(finding)) ||
    (finding.code === 'invalid_secure' && plain.some((each) => isAround(finding, each)))
  if (!isForeign && plain.length === 0) return { findings: [...found], superseded: [] }
  return {
    findings: found.filter((finding) => !isSuperseded(finding)),
    superseded: found.filter(isSuperseded),
  }
}

const ofAnyFile = ['file_of_another_service', 'plain_secret', 'unreadable_secure']

function mattersAnywhere({ level, code }: Finding): boolean {
  return level === 'alert' || level === 'error' || ofAnyFile.includes(code)
}

/** Whether the place of one finding ends with that of another. */
function isAround(outer: Finding, inner: Finding): boolean {
  const isSameEnd = outer.end_line === inner.end_line && outer.end_column === inner.end_column
  return isSameEnd && outer.line === inner.line && (outer.column ?? 0) <= (inner.column ?? 0)
}
