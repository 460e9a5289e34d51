import type { RepositoryRef, TreeEntry } from '../codehost.ts'
import { isSha } from '../ref-names.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Content = ResponseData<'repos', 'getContent'>
type Blob = ResponseData<'git', 'getBlob'>
type Tree = ResponseData<'git', 'getTree'>

/** The exact bytes of a file; for a link, the bytes of the file that it points to. */
export async function readFile(
  { call, find }: App,
  repository: RepositoryRef,
  path: string,
  sha: string,
): Promise<Buffer | undefined> {
  const address = addressOf(path)
  if (address === undefined || !isSha(sha)) return undefined
  const scope = scopeOf(repository)
  const { codehost_id: id } = repository

  const content = await find<Content>(scope, `GET /repositories/{id}/contents/${address}`, {
    id,
    ref: sha,
  })
  if (!content || Array.isArray(content) || content.type !== 'file') return undefined
  if ('encoding' in content && content.encoding === 'base64') return bytesOf(content.content)
  // The content of files over a megabyte is left out (CF-02).
  const blob = await call<Blob>(scope, 'GET /repositories/{id}/git/blobs/{sha}', {
    id,
    sha: content.sha,
  })
  return bytesOf(blob.content)
}

/** The entries of a folder; '' is the root. */
export async function readFolder(
  { find }: App,
  repository: RepositoryRef,
  path: string,
  sha: string,
): Promise<TreeEntry[] | undefined> {
  if (!isSha(sha) || (path !== '' && addressOf(path) === undefined)) return undefined
  const scope = scopeOf(repository)
  const read = async (sha: string) => {
    const parameters = { id: repository.codehost_id, sha }
    const tree = await find<Tree>(scope, 'GET /repositories/{id}/git/trees/{sha}', parameters)
    return tree?.tree
  }

  // The list of a folder's contents does not distinguish submodules from files; trees do.
  let entries = await read(sha)
  for (const name of path === '' ? [] : path.split('/')) {
    const folder = entries?.find((entry) => entry.path === name && entry.type === 'tree')
    entries = folder?.sha === undefined ? undefined : await read(folder.sha)
  }
  return entries?.map(({ path, mode }) => ({ name: path, type: kindOf(mode) }))
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

/**
 * A path as part of a URL. Undefined for a path that cannot be in a commit: a URL with dots would be read as
 * another URL.
 */
function addressOf(path: string): string | undefined {
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined
  return path.includes('\0') ? undefined : parts.map(encodeURIComponent).join('/')
}

function kindOf(mode: string): TreeEntry['type'] {
  if (mode === '040000') return 'folder'
  return mode.startsWith('100') ? 'file' : 'other'
}
