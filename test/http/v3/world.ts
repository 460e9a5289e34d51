import type { Build } from '../../../src/domain/build.ts'
import type { Organization, User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { registerRunner } from '../../../src/store/jobs/runners.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import type { Database } from '../../../src/store/tables.ts'
import { insertAuditRecord } from '../../../src/store/upkeep/audit-records.ts'
import type { Reply } from '../../support/client.ts'
import { noon, testSealer } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { addOwnerVariable } from '../../support/owner-variable.ts'

type Caller = (call: string, options: { token: string }) => Promise<Reply>

/** A repository with one of everything that it can have. */
export interface Furnished {
  repository: Repository
  build: Build
  job: number
  request: number
  env_var: string
}

export interface World {
  people: Record<'admin' | 'stranger', User & { token: string }>
  acme: Organization
  /** What everyone sees; what only the administrator does; what was made in private in the first. */
  open: Furnished
  secret: Furnished
  inPrivate: Furnished
  /** A new token of the administrator. */
  token(): Promise<string>
  /** Reads as the administrator, also what ends the login. */
  asAdmin(call: Caller): (url: string) => Promise<Reply>
  /** What a client must be told, because no answer says it. */
  words: Record<string, string[]>
}

/** What belongs to no repository: a broadcast, a webhook, a feature, a runner and a record of a change. */
async function fillInstallation(db: Database, { id: actor_id, login: actor }: User): Promise<void> {
  // Of the time that it really is, because old ones are not shown.
  await db.insertInto('broadcasts').values({ message: 'Hello' }).execute()
  await factories(db).delivery({ guid: 'a' })
  await db.insertInto('beta_features').values({ name: 'x', description: 'tries x' }).execute()
  await registerRunner(db, {
    id: 'runner-1',
    host: 'here',
    executor: 'process',
    isolation: 'sandbox',
    os: 'linux',
    arch: 'amd64',
    slots: 2,
    version: '1.0.0',
  })
  await insertAuditRecord(db, {
    actor_id,
    actor,
    action: 'sync',
    subject_type: 'user',
    subject_id: actor_id,
    details: { token_id: null, address: '127.0.0.1', changed: {} },
    created_at: noon,
  })
}

/** One of everything, public and private, with an administrator who sees it all. */
export async function makeWorld(db: Database): Promise<World> {
  const make = factories(db)
  // The user of this machine administers the installation as well.
  const local = await make.owner('local', 'local')
  const admin = { ...local, token: await make.token(local) }
  const people = { admin, stranger: await make.user('stranger') }
  const acme = await make.organization('acme')
  await make.membership(admin, acme, 'admin')
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' })
  const ofAcme = { owner_id: acme.id, owner_type: 'Organization', owner_name: 'acme' } as const
  await addOwnerVariable(db, ofAcme)
  await addOwnerVariable(db, { owner_id: admin.id, owner_type: 'User' })
  const hello = await make.repository({ owner_name: 'octavia', name: 'hello' })
  const hidden = await make.repository({ ...ofAcme, name: 'hidden', private: true })
  for (const repository of [hello, hidden]) {
    await make.permission(admin, repository, 'admin')
    await make.star(admin, repository)
  }
  await fillInstallation(db, admin)

  async function furnish(repository: Repository, number: number, isPrivate: boolean) {
    const pull = await make.pullRequest(repository, { number, title: 'Greet' })
    const build = await make.build({
      repository,
      event_type: 'pull_request',
      pull_request_id: pull.id,
      private: isPrivate,
      sender_id: admin.id,
      tag_id: (await make.tag(repository, `v${number}`, null)).id,
      state: 'passed',
      started_at: noon,
      duration: 5,
    })
    await db
      .updateTable('requests')
      .set({ private: isPrivate, sender_id: admin.id, commit_id: build.commit_id })
      .where('id', '=', build.request_id)
      .execute()
    const stage = await make.stage(build, 1)
    const job = await make.job({ build, stage_id: stage.id, private: isPrivate, state: 'passed' })
    await make.log(job, 'hello\n')
    const branch = await putBranch(db, repository.id, isPrivate ? 'private' : 'main')
    await setLastBuildOfBranch(db, branch.id, build.id, null)
    await setLastBuild(db, build, noon)
    const env_var = `00000000-0000-4000-8000-00000000000${number}`
    const sealed_value = testSealer.sealText({ type: 'env_var', id: env_var }, 'value')
    await db
      .insertInto('env_vars')
      .values({ id: env_var, repository_id: repository.id, name: `NAME_${number}`, sealed_value })
      .execute()
    return { repository, build, job: job.id, request: build.request_id, env_var }
  }

  const open = await furnish(hello, 1, false)
  const secret = await furnish(hidden, 2, true)
  const inPrivate = await furnish(hello, 3, true)
  return {
    people,
    acme,
    open,
    secret,
    inPrivate,
    token: () => make.token(admin),
    asAdmin: (call) => async (url) => {
      // What revokes a token gets one of its own.
      const token = url.startsWith('/logout') ? await make.token(admin) : admin.token
      return call(`GET ${url}`, { token })
    },
    words: {
      provider: ['codehost'],
      'repository.slug': ['octavia/hello', 'acme/hidden'],
      'user.id': [String(admin.id)],
    },
  }
}
