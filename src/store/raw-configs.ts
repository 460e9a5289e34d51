import { createHash } from 'node:crypto'
import { storableText } from '../domain/storable-text.ts'
import type { Database } from './tables.ts'

export interface RawConfig {
  /** `owner/repo:path@ref`, or `api`. */
  source: string
  sha: string | null
  text: string
  merge_mode: string | null
}

/** Stores the texts that a request's configuration consists of; equal ones are stored once. */
export async function storeRawConfigs(
  db: Database,
  request: { id: number; repository_id: number },
  configs: readonly RawConfig[],
): Promise<void> {
  await db.deleteFrom('request_configs').where('request_id', '=', request.id).execute()
  for (const [position, { source, sha, text, merge_mode }] of configs.entries()) {
    const stored = storableText(text)
    const sha256 = createHash('sha256').update(stored).digest('hex')
    const { id } = await db
      .insertInto('raw_configs')
      .values({ repository_id: request.repository_id, sha256, text: stored })
      .onConflict((conflict) =>
        conflict.columns(['repository_id', 'sha256']).doUpdateSet({ sha256 }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('request_configs')
      .values({ request_id: request.id, position, raw_config_id: id, source, sha, merge_mode })
      .execute()
  }
}

/** Whether any text was read for the request's configuration. */
export async function hasRawConfigs(db: Database, requestId: number): Promise<boolean> {
  const row = await db
    .selectFrom('request_configs')
    .select('position')
    .where('request_id', '=', requestId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether some commit of the repository that was looked at had a build file. */
export async function hadBuildFile(db: Database, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('raw_configs')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The texts that a request's configuration consists of, in order of precedence. */
export function rawConfigsOfRequest(db: Database, requestId: number): Promise<RawConfig[]> {
  return db
    .selectFrom('request_configs')
    .innerJoin('raw_configs', 'raw_configs.id', 'request_configs.raw_config_id')
    .where('request_id', '=', requestId)
    .select(['source', 'sha', 'text', 'merge_mode'])
    .orderBy('position')
    .execute()
}
