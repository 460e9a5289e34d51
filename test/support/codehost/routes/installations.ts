import { refuseSuspended, requireApp } from '../authenticate.ts'
import { counted, list } from '../paging.ts'
import { covers, findBySlug } from '../reach.ts'
import { created, noContent, notFound, ok, Refusal } from '../reply.ts'
import { type Call, route } from '../route.ts'
import { timestamp } from '../shapes/answer.ts'
import { app, installation } from '../shapes/app.ts'
import { permissionsOf, repository } from '../shapes/repository.ts'
import { type Installation, isSameName } from '../tables.ts'
import { makeInstallationToken } from '../tokens.ts'

/** The app itself, where it is installed, and the tokens with which it acts there. */
export const installationRoutes = [
  route('GET /app', ({ world, caller }) => {
    requireApp(caller)
    return ok(app(world))
  }),

  route('GET /app/installations', (call) => {
    requireApp(call.caller)
    const { world } = call
    return list(call, world.tables.installations, (each) => installation(world, each))
  }),

  route('GET /app/installations/{installation_id}', (call) =>
    ok(installation(call.world, ofApp(call))),
  ),

  route('POST /app/installations/{installation_id}/access_tokens', (call) => {
    const { world, body } = call
    const given = ofApp(call)
    refuseSuspended(given)
    const made = makeInstallationToken(world, given, body)
    return created({
      token: made.token,
      expires_at: timestamp(made.expires_at),
      permissions: made.permissions,
      repository_selection: made.repositories ? 'selected' : given.repository_selection,
      ...(made.repositories
        ? { repositories: [...made.repositories].map((each) => shown(call, each)) }
        : {}),
    })
  }),

  route('GET /repos/{owner}/{repo}/installation', (call) => {
    const { tables } = call.world
    const found = findBySlug(tables.repositories, `${call.params.owner}/${call.params.repo}`)
    return found ? where(call, (each) => covers(each, found)) : where(call, () => false)
  }),

  ...['orgs', 'users'].map((kind) =>
    route(`GET /${kind}/{login}/installation`, (call) =>
      where(call, ({ account }) => isSameName(account.login, call.params.login ?? '')),
    ),
  ),

  route('GET /installation/repositories', (call) => {
    const { world, caller } = call
    if (caller.kind !== 'installation') {
      throw new Refusal({ status: 403, message: 'Resource not accessible by integration' })
    }
    const all = world.tables.repositories.filter(
      (each) => covers(caller.installation, each) && (caller.repositories?.has(each) ?? true),
    )
    return counted(call, 'repositories', all, (each) => shown(call, each))
  }),

  route('DELETE /installation/token', ({ world, caller }) => {
    world.tables.tokens = world.tables.tokens.filter((each) => each !== caller)
    return noContent
  }),
]

function shown({ world, caller }: Call, given: Parameters<typeof repository>[1]) {
  return { ...repository(world, given), ...permissionsOf(caller, given) }
}

function ofApp({ world, caller, params }: Call): Installation {
  requireApp(caller)
  const found = world.tables.installations.find(({ id }) => String(id) === params.installation_id)
  if (!found) throw notFound()
  return found
}

function where({ world, caller }: Call, isIt: (installation: Installation) => boolean) {
  requireApp(caller)
  const found = world.tables.installations.find(isIt)
  if (!found) throw notFound()
  return ok(installation(world, found))
}
