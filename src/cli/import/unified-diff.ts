const linesAround = 3

/**
 * The differences between two texts of the same number of lines, as hunks of a unified diff. Renaming
 * adds and removes no lines, so lines need not be matched.
 */
export function hunksOf(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const changed = old.flatMap((line, index) => (line === now[index] ? [] : index))
  return groupsOf(changed).flatMap(({ first, last }) => {
    const start = Math.max(first - linesAround, 0)
    const end = Math.min(last + linesAround + 1, old.length)
    const range = `${start + 1},${end - start}`
    return [`@@ -${range} +${range} @@`, ...bodyOf(old.slice(start, end), now.slice(start, end))]
  })
}

/** Groups changed lines into hunks; lines with touching contexts share one hunk. */
function groupsOf(changed: readonly number[]): { first: number; last: number }[] {
  const groups: { first: number; last: number }[] = []
  for (const index of changed) {
    const group = groups.at(-1)
    if (group && index - group.last <= 2 * linesAround) group.last = index
    else groups.push({ first: index, last: index })
  }
  return groups
}

/** In a run of changed lines, the old lines come first. */
function bodyOf(old: readonly string[], now: readonly string[]): string[] {
  const body: string[] = []
  let added: string[] = []
  for (const [index, line] of old.entries()) {
    const next = now[index] ?? ''
    if (line === next) {
      body.push(...added, ` ${line}`)
      added = []
    } else {
      body.push(`-${line}`)
      added.push(`+${next}`)
    }
  }
  return [...body, ...added].flatMap(withoutEnd)
}

/** Adds the note of a diff for a last line without a line break. */
function withoutEnd(line: string): string[] {
  return line.endsWith(noEnd) ? [line.slice(0, -1), '\\ No newline at end of file'] : [line]
}

/** Marks a last line without a line break; texts never contain it, because files with it are not read. */
const noEnd = '\0'

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push(`${lines.pop() ?? ''}${noEnd}`)
  return lines
}
