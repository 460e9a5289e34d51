import type { Edit, Fix } from './finding.ts'

/**
 * Applies fixes to a file as written, in the order of their positions. A fix is left out if it touches
 * another fix's changes, or lies between them; it can be applied later.
 */
export function applyEdits(text: string, fixes: readonly Fix[]): { text: string; applied: Fix[] } {
  const applied: Fix[] = []
  const edits: Edit[] = []
  for (const fix of fixes.toSorted((a, b) => startOf(a) - startOf(b))) {
    const last = edits.at(-1)
    // Two findings have the same fix if an anchor is used twice.
    const isDone = last !== undefined && fix.edits.every((edit) => isSame(edit, last))
    if (!isDone && last && startOf(fix) <= last.end) continue
    if (!isDone) edits.push(...fix.edits)
    applied.push(fix)
  }
  const pieces: string[] = []
  let from = 0
  for (const edit of edits) {
    pieces.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  return { text: [...pieces, text.slice(from)].join(''), applied }
}

function startOf({ edits }: Fix): number {
  return edits[0]?.start ?? 0
}

function isSame(one: Edit, other: Edit): boolean {
  return one.start === other.start && one.end === other.end && one.text === other.text
}
