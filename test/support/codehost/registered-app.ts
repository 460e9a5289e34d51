import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { addAccount, addUser } from './acts/accounts.ts'
import type { Permissions } from './tables.ts'
import { secret } from './tokens.ts'
import type { App, World } from './world.ts'

const slug = 'build-service'
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

interface Manifest {
  name: string
  default_permissions: Permissions
  default_events: string[]
}

/** Registers the app as its manifest asks for. */
export function registerApp(world: Pick<World, 'tables' | 'now'>): App {
  const text = readFileSync(new URL('../../../app.yml', import.meta.url), 'utf8')
  const { name, default_permissions, default_events } = parse(text) as Manifest
  const id = world.tables.nextId()
  // The id of the webhook is the next one.
  world.tables.nextId()
  return {
    id,
    slug,
    name,
    clientId: `Iv23li${id}`,
    clientSecret: secret(),
    ...keys,
    webhookSecret: secret(),
    permissions: default_permissions,
    events: default_events,
    callbackUrls: [],
    owner: addUser(world, { login: 'operator' }),
    bot: addAccount(world, 'Bot', { login: `${slug}[bot]` }),
    created_at: world.now(),
  }
}
