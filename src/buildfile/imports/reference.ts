import path from 'node:path'

/** A file to import. */
export interface ImportTarget {
  /** owner/name */
  repository: string
  /** Path from the root of the repository. */
  path: string
  /**
   * A branch, tag or commit; null for the commit being built in the repository being built, and for the
   * default branch of other repositories (CF-41).
   */
  ref: string | null
}

/** The file that contains an import. */
export type ImportingFile = ImportTarget

const form = /^(?:([^/:@\s]+\/[^/:@\s]+):)?([^:@]+\.yml)(?:@([^\s:]+))?$/

/**
 * The file that an import's source refers to (CF-40); undefined for an invalid source. Text that `fill`
 * inserts for `%{…}` can change the path and the ref, but never the repository, and the path cannot
 * leave it.
 */
export function resolveReference(
  source: string,
  from: ImportingFile,
  fill: (text: string) => string,
): ImportTarget | undefined {
  const found = form.exec(source.trim())
  if (!found) return undefined
  const [, written, to = '', at] = found
  const repository = written ?? from.repository
  const isSame = repository.toLowerCase() === from.repository.toLowerCase()
  const resolved = resolvePath(fill(to), written === undefined ? from.path : '')
  const ref = at === undefined ? (isSame ? from.ref : null) : fill(at)
  if (resolved === undefined || (ref !== null && !/^[^\s\p{Cc}]+$/u.test(ref))) return undefined
  return { repository, path: resolved, ref }
}

/** The identity of a target: targets with equal keys are read once. */
export function targetKey({ repository, path: file, ref }: ImportTarget): string {
  return `${repository.toLowerCase()}:${file}@${ref ?? ''}`
}

/** `./` is relative to the importing file, other paths to the root of the repository. */
function resolvePath(file: string, importing: string): string | undefined {
  const base = file.startsWith('./') ? path.posix.dirname(importing) : '.'
  const resolved = path.posix.join(base, file).replace(/^\/+/, '')
  const isInside = !resolved.startsWith('../')
  return isInside && /^[^\p{Cc}\\]*[^/]\.yml$/u.test(resolved) ? resolved : undefined
}
