import { createHash } from 'node:crypto'
import { type Expression, type SqlBool, sql } from 'kysely'
import { storableText } from '../../domain/text/storable-text.ts'
import { runPrepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

export interface RawConfig {
  /** `owner/repo:path@ref`, or `api`. */
  source: string
  sha: string | null
  text: string
  merge_mode: string | null
}

/** Stores the texts that a request's configuration consists of; equal texts are stored once. */
export async function storeRawConfigs(
  db: Database,
  request: { id: number; repository_id: number },
  configs: readonly RawConfig[],
): Promise<void> {
  if (configs.length === 0) return
  const texts = configs.map(({ text }) => storableText(text))
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'))
  const stored = sql`
    with given as (
      select * from unnest(
        ${configs.map((_, position) => position)}::int[], ${texts}::text[], ${hashes}::text[],
        ${configs.map(({ source }) => source)}::text[], ${configs.map(({ sha }) => sha)}::text[],
        ${configs.map(({ merge_mode }) => merge_mode)}::text[]
      ) as given (position, text, sha256, source, sha, merge_mode)
    ), stored as (
      insert into raw_configs (repository_id, sha256, text)
      select distinct on (sha256) ${request.repository_id}::bigint, sha256, text from given
      on conflict (repository_id, sha256) do update set sha256 = excluded.sha256
      returning id, sha256
    )
    insert into request_configs (request_id, position, raw_config_id, source, sha, merge_mode)
    select ${request.id}::bigint, position, stored.id, source, sha, merge_mode
    from given join stored using (sha256)
  `
  await runPrepared(db, stored)
}

/** Whether any examined commit of the repository had a build file; `seen` is a condition on requests. */
export async function hadBuildFile(
  db: Database,
  repositoryId: number,
  seen: Expression<SqlBool> = sql`true`,
): Promise<boolean> {
  const row = await db
    .selectFrom('raw_configs')
    .innerJoin('request_configs', 'raw_config_id', 'raw_configs.id')
    .innerJoin('requests', 'requests.id', 'request_configs.request_id')
    .select('raw_configs.id')
    .where('raw_configs.repository_id', '=', repositoryId)
    .where(seen)
    // A configuration from a request by API is not a file of a commit.
    .where('request_configs.sha', 'is not', null)
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
