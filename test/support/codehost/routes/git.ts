import { entriesOf, isEmpty, objectAt, readBlob } from '../git.ts'
import { notFound, ok, Refusal, unprocessable } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { nodeId } from '../shapes/answer.ts'
import { base64 } from '../shapes/content.ts'
import { slugOf } from '../tables.ts'

/** Entries of a tree in one response. */
const mostEntries = 100_000

/** Objects of the git repository, by what they are called there. */
export const gitRoutes = [
  ...repositoryRoute('GET /git/blobs/{sha}', 'contents', async (call) => {
    const { world, repository, params, headers } = call
    const { sha = '' } = params
    if (!/^[0-9a-f]{40}$/.test(sha)) {
      throw unprocessable(
        'The sha parameter must be exactly 40 characters and contain only [0-9a-f].',
      )
    }
    const found = await objectOf(call, sha)
    if (found.type !== 'blob') throw notFound()
    const bytes = await readBlob(world, repository, sha)
    if (/\braw\b/.test(headers.accept ?? '')) return ok(bytes)
    return ok({
      sha,
      node_id: nodeId('Blob', sha),
      size: found.size,
      url: urlOf(call, 'blobs', sha),
      content: base64(bytes),
      encoding: 'base64',
    })
  }),

  ...repositoryRoute('GET /git/trees/{sha*}', 'contents', async (call) => {
    const { world, repository, params, query } = call
    const found = await objectOf(call, `${params.sha}^{tree}`)
    const all = await entriesOf(world, repository, found.sha, query.has('recursive'))
    return ok({
      sha: found.sha,
      url: urlOf(call, 'trees', found.sha),
      tree: all.slice(0, mostEntries).map((entry) => ({
        ...entry,
        // Another repository is elsewhere.
        ...(entry.type === 'commit' ? {} : { url: urlOf(call, `${entry.type}s`, entry.sha) }),
      })),
      truncated: all.length > mostEntries,
    })
  }),
]

async function objectOf({ world, repository }: RepositoryCall, name: string) {
  const found = await objectAt(world, repository, name)
  if (found) return found
  if (!(await isEmpty(world, repository))) throw notFound()
  throw new Refusal({ status: 409, message: 'Git Repository is empty.' })
}

function urlOf({ world, repository }: RepositoryCall, kind: string, sha: string): string {
  return `${world.apiUrl}/repos/${slugOf(repository)}/git/${kind}/${sha}`
}
