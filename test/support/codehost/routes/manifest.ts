import { isMembers, type Members, textOf } from '../body.ts'
import { escape, page } from '../html.ts'
import { created, notFound, ok, type Reply } from '../reply.ts'
import { type Call, route } from '../route.ts'
import { account } from '../shapes/account.ts'
import { app } from '../shapes/app.ts'
import type { Permissions } from '../tables.ts'
import { secret } from '../tokens.ts'
import type { World } from '../world.ts'

/** How an app is registered from its manifest: a page that asks, then a code that is good once. */
export const manifestRoutes = [
  route('POST /settings/apps/new', (call) => question(call)),

  route('POST /organizations/{org}/settings/apps/new', (call) => question(call)),

  route('POST /settings/apps/manifest', ({ world, body }) => {
    const manifest = manifestIn(textOf(body.manifest))
    const code = secret().slice(0, 40)
    world.manifests.set(code, manifest)
    const back = new URL(String(manifest.redirect_url))
    back.searchParams.set('code', code)
    const state = textOf(body.state)
    if (state !== null) back.searchParams.set('state', state)
    return { status: 302, headers: { location: String(back) } }
  }),

  route('POST /app-manifests/{code}/conversions', ({ world, params }) => {
    const manifest = world.manifests.get(params.code ?? '')
    if (!manifest) throw notFound()
    world.manifests.delete(params.code ?? '')
    follow(world, manifest)
    const { clientId, clientSecret, webhookSecret, privateKey } = world.app
    return created({
      ...app(world),
      owner: account(world, world.app.owner),
      client_id: clientId,
      client_secret: clientSecret,
      webhook_secret: webhookSecret,
      pem: privateKey,
    })
  }),
]

/** The page on which the name can be changed, once somebody is signed in. */
function question({ world, body, query }: Call): Reply {
  if (!world.browser) return { status: 401, body: page('<p>Sign in to go on.</p>') }
  const text = textOf(body.manifest) ?? ''
  const { name } = manifestIn(text)
  return ok(
    page(`<h1>Create GitHub App</h1>
<form method="post" action="/settings/apps/manifest">
<input type="hidden" name="manifest" value="${escape(text)}">
<input type="hidden" name="state" value="${escape(query.get('state') ?? '')}">
<button>Create GitHub App ${escape(String(name))}</button></form>`),
  )
}

function manifestIn(text: string | null): Members {
  const manifest: unknown = JSON.parse(text ?? '{}')
  if (!isMembers(manifest) || typeof manifest.redirect_url !== 'string') throw notFound()
  return manifest
}

/** The world has one app: it becomes what the manifest asks for. */
function follow(world: World, manifest: Members): void {
  const { url } = manifest.hook_attributes as { url: string }
  world.webhookUrl = url
  Object.assign(world.app, {
    name: manifest.name,
    permissions: manifest.default_permissions as Permissions,
    events: manifest.default_events as string[],
    callbackUrls: manifest.callback_urls as string[],
  })
}
