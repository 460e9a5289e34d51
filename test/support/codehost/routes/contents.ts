import path from 'node:path'
import type { GitCommit } from '../../../../src/codehost/local/commits.ts'
import { commitNamed, type Entry, entriesOf, entryAt, isEmpty, readBlob } from '../git.ts'
import { notFound, ok, type Reply, Refusal } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { base64, type Place, placed } from '../shapes/content.ts'

const mebibyte = 1024 * 1024

/** What is at a path of a commit: a file, a folder, a link, another repository. */
export const contentRoutes = [
  ...repositoryRoute('GET /contents', 'contents', (call) => readContent(call, '')),
  ...repositoryRoute('GET /contents/{path*}', 'contents', (call) =>
    readContent(call, (call.params.path ?? '').replace(/\/+$/, '')),
  ),
]

async function readContent(call: RepositoryCall, at: string): Promise<Reply> {
  const { world, repository, query } = call
  const ref = query.get('ref') ?? repository.default_branch
  const commit = await commitNamed(world, repository, ref)
  if (!commit) {
    if (await isEmpty(world, repository)) throw notFound('This repository is empty.')
    throw notFound(`No commit found for the ref ${ref}`)
  }
  const place = { world, repository, ref }
  if (at === '') return folder(place, commit.tree, '')
  const entry = await entryAt(world, repository, commit, at)
  if (!entry) throw notFound()
  if (entry.type === 'tree') return folder(place, entry.sha, at)
  if (entry.type === 'commit') return ok(submodule(place, entry))
  if (entry.mode === '120000') return link(call, place, commit, entry)
  return file(call, place, entry)
}

async function folder(place: Place, tree: string, at: string): Promise<Reply> {
  const entries = await entriesOf(place.world, place.repository, tree)
  const shown = entries.map((entry) => ({
    // Other repositories are listed as files, for the sake of programs from before there were any.
    ...placed(place, { ...entry, path: at ? `${at}/${entry.path}` : entry.path }),
    type: entry.type === 'tree' ? 'dir' : entry.mode === '120000' ? 'symlink' : 'file',
  }))
  return ok(shown)
}

async function file({ headers }: RepositoryCall, place: Place, entry: Entry): Promise<Reply> {
  const { size = 0 } = entry
  if (size > 100 * mebibyte) throw tooLarge()
  const bytes = await readBlob(place.world, place.repository, entry.sha)
  if (/\braw\b/.test(headers.accept ?? '')) return ok(bytes)
  // Larger ones are to be read as blobs (CF-02).
  const content =
    size > mebibyte
      ? { encoding: 'none', content: '' }
      : { encoding: 'base64', content: base64(bytes) }
  return ok({ ...placed(place, entry), type: 'file', ...content })
}

function tooLarge(): Refusal {
  return new Refusal({
    status: 403,
    message:
      'This API returns blobs up to 100 MB in size. The requested blob is too large to fetch ' +
      'via the API, but you can always clone the repository via Git.',
    errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  })
}

/** A link to a file of the repository is returned as that file, under the name of the link. */
async function link(
  call: RepositoryCall,
  place: Place,
  commit: GitCommit,
  entry: Entry,
): Promise<Reply> {
  const { world, repository } = place
  const target = (await readBlob(world, repository, entry.sha)).toString()
  const pointed = path.posix.join(path.posix.dirname(entry.path), target)
  const found = pointed.startsWith('..')
    ? undefined
    : await entryAt(world, repository, commit, pointed)
  if (found?.mode.startsWith('100')) return file(call, place, { ...found, path: entry.path })
  return ok({ ...placed(place, entry), type: 'symlink', target })
}

function submodule(place: Place, entry: Entry) {
  return {
    ...placed(place, entry),
    type: 'submodule',
    size: 0,
    download_url: null,
    submodule_git_url: `https://git.example.org/${entry.path}.git`,
  }
}
