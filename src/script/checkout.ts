import { firstText } from './first-text.ts'

/** The section `git` of a job's config, with defaults filled in. */
export interface Checkout {
  clone: boolean
  /** Null for the whole history. */
  depth: number | null
  submodules: boolean
  submodules_depth: number | null
  quiet: boolean
  lfs_skip_smudge: boolean
  /** Null to use git's own settings. */
  autocrlf: 'true' | 'false' | 'input' | null
  symlinks: boolean | null
  /** The sparse checkout patterns; empty for everything. */
  sparse: string[]
}

/** Where the commit is checked out, below the home. */
export function checkoutFolder(slug: string): string {
  return `build/${slug}`
}

const usualDepth = 50

export function readCheckout(value: unknown): Checkout {
  const git: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  const sparse = Array.isArray(git.sparse_checkout) ? git.sparse_checkout : [git.sparse_checkout]
  const autocrlf = git.autocrlf === 'input' ? 'input' : flag(git.autocrlf)
  return {
    clone: flag(git.clone) ?? true,
    depth: depthOf(git.depth),
    submodules: flag(git.submodules) ?? true,
    submodules_depth: depthOf(git.submodules_depth ?? git.depth),
    quiet: flag(git.quiet) ?? false,
    lfs_skip_smudge: flag(git.lfs_skip_smudge) ?? false,
    autocrlf: typeof autocrlf === 'boolean' ? `${autocrlf}` : (autocrlf ?? null),
    symlinks: flag(git.symlinks) ?? null,
    sparse: sparse.flatMap((line: unknown) => firstText(line) ?? []),
  }
}

function flag(value: unknown): boolean | undefined {
  const text = firstText(value) ?? ''
  if (/^(?:true|yes|on)$/i.test(text)) return true
  return /^(?:false|no|off)$/i.test(text) ? false : undefined
}

function depthOf(value: unknown): number | null {
  if (flag(value) === false) return null
  const depth = Number(firstText(value) ?? usualDepth)
  return Number.isInteger(depth) && depth > 0 ? depth : usualDepth
}
