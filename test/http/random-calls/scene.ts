// What random calls are made to: a world in which something is there for most of them.
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { commitOf, memoryCodehost } from '../../support/memory-codehost.ts'
import { unlimited } from '../door.ts'
import { keepAll } from '../endpoints.ts'
import {
  keepVariable,
  organizationsVariable,
  usersVariable,
  variableOf,
} from '../endpoints/keep.ts'
import { makeWorld, type World } from '../v3/world.ts'
import type { Names } from './values.ts'

const slugs = ['octavia/hello', 'acme/hidden']
const ids = ['1', '2', '3']

/** What is there, by the names that documents have for it. */
export const names: Names = {
  account_env_var: [organizationsVariable, usersVariable],
  beta_feature: ['1'],
  branch: ['main', 'private'],
  build: ids,
  category: ['warning', null],
  codehost_id: ['1', '1001', '2001'],
  config: ['script: make', { script: 'make' }],
  cron: ['1'],
  data: [{}, { branch: 'main' }],
  delivery: ['a'],
  env_var: ids.map(variableOf),
  expires_at: ['2026-01-05T12:00:00Z'],
  hook: ['1', '2'],
  id: ['1', '2', ...slugs],
  id_or_owner: ['1', '2', ...slugs, 'octavia', 'acme'],
  ids: ['1', '1,2,3'],
  include: ['build.jobs', 'job.build,build.commit', 'repository.default_branch', 'user.emails'],
  installation: ['1'],
  job: ids,
  log: ids,
  login: ['octavia', 'local', 'acme', 'stranger'],
  name: ['hello', 'hidden'],
  notification: ids,
  organization: ['1'],
  origin: ['https://ci.example.org/after'],
  owner: ['octavia', 'acme'],
  preference: ['build_emails', 'private_insights_visibility'],
  provider: ['codehost', 'codehost', 'local'],
  recipient: [null],
  redirect_uri: ['https://ci.example.org/after'],
  ref: ['main'],
  repository: ['1', '2', ...slugs],
  repository_id: ['1', '2'],
  request: ids,
  setting: ['build_pushes', 'maximum_number_of_builds', 'timeout_hard_limit'],
  slug: slugs,
  sort_by: ['id', 'id:desc', 'name'],
  timezone: ['Europe/Berlin'],
  token: ids,
  user: ['1', '2'],
  value: [true, 3],
}

/** A service whose code host has one branch, with one build file. */
export async function openService() {
  const { db } = await ownDatabase()
  const codehost = memoryCodehost()
  const tip = 'a'.repeat(40)
  codehost.tips = new Map([['refs/heads/main', tip]])
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Greet'))
  codehost.files.set(tip, 'script: make\n')
  const server = await createServer({ ...testContext(db, { codehost }), rates: unlimited })

  return {
    server,
    /** Removes everything, and makes the same again. */
    async renew(): Promise<World> {
      await ownDatabase()
      const world = await makeWorld(db)
      for (const { repository, build } of [world.open, world.secret]) {
        await factories(db).notification(build)
        await keepAll(db, repository.id)
      }
      await keepVariable(db, { id: organizationsVariable, owner_type: 'Organization', owner_id: 1 })
      await keepVariable(db, {
        id: usersVariable,
        owner_type: 'User',
        owner_id: world.people.admin.id,
      })
      for (const table of ['builds', 'jobs'] as const) {
        const running = { state: 'started', started_at: noon, finished_at: null } as const
        await db.updateTable(table).set(running).where('id', '=', 3).execute()
      }
      return world
    },
  }
}
