import { textOf } from '../body.ts'
import { newestTags, type TagRef } from '../git.ts'
import { canSee, findBySlug, may } from '../reach.ts'
import { badCredentials, ok, type Reply } from '../reply.ts'
import { type Call, route } from '../route.ts'

/** Refs in one page, however many a query asks for. */
const mostRefs = 100

/** The one query that we send: the newest tags of a repository, each with what it leads to. */
export const graphqlRoutes = [
  route('POST /graphql', async (call) => {
    if (call.caller.kind === 'nobody') throw badCredentials()
    if (!/refs\(\s*refPrefix: "refs\/tags\/"/.test(textOf(call.body.query) ?? '')) {
      return refused({ message: 'Parse error', extensions: { code: 'undefinedField' } })
    }
    return answerTags(call)
  }),
]

async function answerTags({ world, caller, body }: Call): Promise<Reply> {
  const { owner, name } = body.variables as Record<string, string>
  const repository = findBySlug(world.tables.repositories, `${owner}/${name}`)
  if (!repository || !canSee(world, caller, repository)) {
    const message = `Could not resolve to a Repository with the name '${owner}/${name}'.`
    return refused({ type: 'NOT_FOUND', path: ['repository'], message })
  }
  if (!may(caller, repository, 'contents', 'read')) {
    const message = 'Resource not accessible by integration'
    return refused({ type: 'FORBIDDEN', path: ['repository', 'refs'], message })
  }
  const tags = await newestTags(world, repository, mostRefs + 1)
  const refs = {
    pageInfo: { hasNextPage: tags.length > mostRefs },
    nodes: tags.slice(0, mostRefs).map((tag) => ({ name: tag.name, target: targetOf(tag) })),
  }
  return ok({ data: { repository: { databaseId: repository.id, refs } } })
}

function targetOf({ object, peeled }: TagRef) {
  const end = peeled && objectShape(peeled)
  return end === undefined
    ? objectShape(object)
    : { ...objectShape(object), tagger: { date: object.date }, target: end }
}

function objectShape({ type, sha, date }: TagRef['object']) {
  const __typename = `${type[0]?.toUpperCase()}${type.slice(1)}`
  return { __typename, oid: sha, ...(type === 'commit' ? { committedDate: date } : {}) }
}

/** What fails has status 200 as well. */
function refused(error: Readonly<Record<string, unknown>>): Reply {
  return ok({ data: null, errors: [error] })
}
