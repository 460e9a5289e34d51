import { randomUUID } from 'node:crypto'
import { storeRawConfigs } from '../../../src/store/requests/raw-configs.ts'
import { insertMessages } from '../../../src/store/requests/request-messages.ts'
import { type Database, json } from '../../../src/store/tables.ts'
import { noon, testSealer } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { keepAll } from '../endpoints.ts'

export interface KeptIds extends Record<string, string> {
  'env_var.id': string
  'request.id': string
  'notification.id': string
}

/**
 * Gives a repository one of each of what is kept for it: what the rows of the table keep, a public
 * variable, a cache, a request with all that belongs to one, and a notification.
 */
export async function keptBy(db: Database, repositoryId: number): Promise<KeptIds> {
  const make = factories(db)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  const repository_id = repository.id
  const id = randomUUID()
  const sealed_value = testSealer.sealText({ type: 'env_var', id }, 'loud')
  await db
    .insertInto('env_vars')
    .values({ id, repository_id, name: 'VOICE', sealed_value, public: true, branch: null })
    .execute()
  await db
    .insertInto('caches')
    .values({
      repository_id,
      branch: 'main',
      slug: 'cache-linux-1',
      object_key: `caches/${repository_id}/main/cache-linux-1.tgz`,
      size: 1024,
      last_modified: noon,
    })
    .execute()
  const commit = await make.commit(repository)
  const build = await make.build({ repository, commit_id: commit.id })
  await db
    .updateTable('requests')
    .set({ commit_id: commit.id, config: json({ language: 'ruby' }) })
    .where('id', '=', build.request_id)
    .execute()
  await insertMessages(db, build.request_id, [
    {
      level: 'warn',
      key: ['git'],
      code: 'unknown_key',
      args: { key: 'depht' },
      text: 'unknown key "depht"',
      src: '.service.yml',
      line: 3,
      column: 1,
    },
  ])
  const source = `${repository.owner_name}/${repository.name}:.service.yml@${commit.sha}`
  await storeRawConfigs(db, { id: build.request_id, repository_id }, [
    { source, sha: commit.sha, text: 'git: {depht: 3}\n', merge_mode: null },
  ])
  const notification = await make.notification(build)
  return {
    ...(await keepAll(db, repository_id)),
    'env_var.id': id,
    'request.id': String(build.request_id),
    'notification.id': String(notification.id),
  }
}
