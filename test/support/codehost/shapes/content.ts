import type { Entry } from '../git.ts'
import { type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'

export interface Place {
  world: World
  repository: Repository
  ref: string
}

/** The data of whatever is at a path. */
export function placed({ world, repository, ref }: Place, { path, type, sha, size = 0 }: Entry) {
  const at = path.split('/').map(encodeURIComponent).join('/')
  const api = `${world.apiUrl}/repos/${slugOf(repository)}`
  const page = `${world.url}/${slugOf(repository)}`
  const url = `${api}/contents/${at}?ref=${encodeURIComponent(ref)}`
  const git_url = type === 'commit' ? null : `${api}/git/${type}s/${sha}`
  const html_url = `${page}/${type === 'tree' ? 'tree' : 'blob'}/${ref}/${at}`
  return {
    name: path.split('/').at(-1) ?? '',
    path,
    sha,
    size,
    url,
    html_url,
    git_url,
    download_url: type === 'blob' ? `${page}/raw/${ref}/${at}` : null,
    _links: { self: url, git: git_url, html: html_url },
  }
}

/** In lines, as the code host has it. */
export function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll(/.{1,60}/g, '$&\n')
}
