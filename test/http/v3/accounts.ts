import { createServer } from '../../../src/http/server.ts'
import type { Database } from '../../../src/store/tables.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { makeScene, noOrganizationRights, octavia, type Scene } from './scene.ts'

/** The scene, with all that an organization can have. */
export async function makeAccounts(db: Database): Promise<Scene> {
  const scene = await makeScene(db)
  const { id } = scene.acme
  await db
    .updateTable('organizations')
    .set({ codehost_id: 55, name: 'Acme Inc.', avatar_url: 'https://a.example/acme' })
    .execute()
  const of = { owner_id: id, owner_type: 'Organization' } as const
  await factories(db).installation(of, { codehost_id: 77 })
  return scene
}

/** Calls V3, and a V3 that shows nothing to anonymous callers. */
export async function accountCalls(db: Database) {
  const ctx = testContext(db)
  const site = { ...ctx.site, publicMode: false }
  return {
    call: v3Client(await createServer(ctx)),
    closed: v3Client(await createServer({ ...ctx, site })),
  }
}

export const allowanceOf = (id: number) => ({
  '@type': 'allowance',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  id,
})

/** What users and organizations have in common. */
const shared = {
  ro_mode: false,
  education: null,
  allow_migration: false,
  custom_keys: [],
  trial_allowed: false,
  account_env_vars: [],
}

/** The user 1 as others see them. */
export const user = {
  ...octavia,
  ...shared,
  '@representation': 'standard',
  codehost_id: 1,
  vcs_id: '1',
  avatar_url: 'https://a.example/o',
  allowance: allowanceOf(1),
  email: null,
  is_syncing: false,
  synced_at: null,
  recently_signed_up: false,
  secure_user_hash: null,
  confirmed_at: null,
  internal: false,
  last_activity_at: null,
  memberships: [],
}

export const minimalAcme = {
  '@type': 'organization',
  '@href': '/org/1',
  '@representation': 'minimal',
  '@permissions': noOrganizationRights,
  id: 1,
  login: 'acme',
  name: 'Acme Inc.',
  vcs_type: 'CodehostOrganization',
  ro_mode: false,
}

export const acme = {
  ...minimalAcme,
  ...shared,
  '@representation': 'standard',
  codehost_id: 55,
  vcs_id: '55',
  avatar_url: 'https://a.example/acme',
  allowance: allowanceOf(1),
}
