/**
 * Reads a pattern of paths: `*` matches a part of a name, `**` matches folders in between. Matching
 * takes time quadratic in the length of the path, regardless of the number of stars.
 */
export function readPathPattern(pattern: string): (path: string) => boolean {
  const parts = pattern.replace(/^\.\//, '').split('/')
  const names = parts.map((part, index) =>
    part === '**' && index < parts.length - 1 ? anyFolders : Array.from(part),
  )
  return (path) => {
    const folders = path.split('/').map((folder) => Array.from(folder))
    return fits<readonly string[]>(names, folders, anyFolders, isNamed)
  }
}

/** Whether the name of a folder or file matches a pattern. */
function isNamed(pattern: readonly string[], name: readonly string[]): boolean {
  return fits(pattern, name, '*', (one, other) => one === other)
}

const anyFolders: readonly string[] = ['**']

/**
 * Whether items match a pattern in which `any` matches any number of items. Each `any` takes as few items as
 * possible; only the latest ever has to take more.
 */
function fits<T>(
  pattern: readonly T[],
  items: readonly T[],
  any: T,
  isSame: (wanted: T, item: T) => boolean,
): boolean {
  let next = 0
  let latest: { next: number; taken: number } | undefined
  for (let at = 0; at < items.length;) {
    const [wanted, item] = [pattern[next], items[at]]
    if (wanted === any) {
      next += 1
      latest = { next, taken: at }
    } else if (wanted !== undefined && item !== undefined && isSame(wanted, item)) {
      next += 1
      at += 1
    } else {
      if (!latest) return false
      latest.taken += 1
      ;({ next, taken: at } = latest)
    }
  }
  return pattern.slice(next).every((wanted) => wanted === any)
}
