import type { TreeEntry } from '../codehost.ts'
import type { Git } from './git.ts'
import { commitAt } from './refs/refs.ts'

interface Entry {
  mode: string
  sha: string
  path: string
}

/** The exact bytes of a file. Undefined for a link, a folder or a submodule (CF-02). */
export async function readFile(
  git: Git,
  path: string,
  sha: string,
  file: string,
): Promise<Buffer | undefined> {
  const entries = await entriesAt(git, path, sha, file)
  const entry = entries?.find(({ path, mode }) => path === file && kindOf(mode) === 'file')
  if (!entry) return undefined
  const { output } = await git(path, ['cat-file', 'blob', entry.sha])
  return output
}

/** The entries of a folder; '' is the root. */
export async function readFolder(
  git: Git,
  path: string,
  sha: string,
  folder: string,
): Promise<TreeEntry[] | undefined> {
  const prefix = folder === '' ? '' : `${folder}/`
  const entries = await entriesAt(git, path, sha, prefix)
  const inside = entries?.filter(({ path }) => path.startsWith(prefix))
  // Git keeps no empty folders; only a commit's root can be empty.
  if (inside === undefined || (inside.length === 0 && folder !== '')) return undefined
  return inside.map(({ path, mode }) => ({ name: path.slice(prefix.length), type: kindOf(mode) }))
}

/** The entry at a path or, when it ends in a slash, the entries below it. */
async function entriesAt(
  git: Git,
  path: string,
  sha: string,
  wanted: string,
): Promise<Entry[] | undefined> {
  const commit = isPlainPath(wanted) ? await commitAt(git, path, sha) : undefined
  if (commit === undefined) return undefined
  const only = wanted === '' ? [] : [wanted]
  const { output } = await git(path, [
    'ls-tree',
    '-z',
    '--full-tree',
    '--end-of-options',
    commit,
    ...only,
  ])
  return output.toString().split('\0').slice(0, -1).map(readEntry)
}

function readEntry(line: string): Entry {
  const [, mode = '', sha = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
  return { mode, sha, path }
}

/** No commit contains any other path, and git could give one a special meaning. */
function isPlainPath(path: string): boolean {
  if (path === '') return true
  const parts = path.replace(/\/$/, '').split('/')
  return !path.includes('\0') && parts.every((part) => part !== '' && part !== '.' && part !== '..')
}

function kindOf(mode: string): TreeEntry['type'] {
  if (mode === '040000') return 'folder'
  return mode.startsWith('100') ? 'file' : 'other'
}
