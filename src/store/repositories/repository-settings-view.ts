import type { Cron } from '../../domain/cron.ts'
import type { EnvVar } from '../../domain/env-var.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import type { Settings } from '../../domain/settings.ts'
import type { SshKey } from '../../domain/ssh-key.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { isEnvVarId } from '../secrets/env-vars.ts'
import type { PublicKey } from '../secrets/key-pairs.ts'
import { cronIn, reader, type Written } from '../sql/json-rows.ts'
import type { Database } from '../tables.ts'
import { branchWithoutRow, type KnownBranch } from './branches.ts'
import { readNamed, type SeenRef, seenRepositoryIn } from './repository-access.ts'

/** A repository with a record kept for it; null if there is none. */
export type Keeping<K> = Seen<Repository> & { kept: K | null }

/** Makes a function that reads both by any viewer's reference to the repository, in one statement. */
function keeping<K>(
  { columns, joins, parameters }: { columns: string; joins: string; parameters: number },
  keptIn: (written: never) => K,
) {
  const read = readNamed<{ kept: object | null }>({
    columns: `${columns} as kept`,
    joins,
    parameters,
  })
  return async (
    db: Database,
    ref: SeenRef,
    userId: number | undefined,
    ...given: unknown[]
  ): Promise<Keeping<K> | undefined> => {
    const row = await read(db, ref, userId, ...given)
    if (!row) return
    const { kept } = row
    return Object.assign(seenRepositoryIn(row), { kept: kept && keptIn(kept as never) })
  }
}

/** Like `keeping`, for a table that has a row for each repository. */
function keepingRow<K>(table: string, column: string, keptIn: (written: never) => K) {
  const joins = `left join ${table} on ${table}.repository_id = repositories.id`
  const read = keeping({ columns: column, joins, parameters: 0 }, keptIn)
  return (db: Database, ref: SeenRef, userId: number | undefined) => read(db, ref, userId)
}

const stored = { created_at: true, updated_at: true } as const

/** A repository with its custom SSH key. */
export const repositoryWithSshKey = keepingRow(
  'ssh_keys',
  'row_to_json(ssh_keys)',
  reader<SshKey>(stored),
)

/** A repository with the visible part of its key pair. */
export const repositoryWithPublicKey = keepingRow(
  'key_pairs',
  `case when key_pairs.repository_id is not null then
    json_build_object('public_key', public_key, 'fingerprint', fingerprint) end`,
  (written: PublicKey) => written,
)

/** A repository with its settings; missing settings have their defaults. */
export const repositoryWithSettings = keepingRow(
  'repository_settings',
  'repository_settings.values',
  (values: Partial<Settings>) => values,
)

const withEnvVar = keeping(
  {
    columns: 'row_to_json(env_vars)',
    joins: `left join env_vars on env_vars.id = $2::uuid and env_vars.repository_id = repositories.id`,
    parameters: 1,
  },
  reader<EnvVar>(stored),
)

/** A repository with one of its variables. */
export const repositoryWithEnvVar = (
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
  id: string,
): Promise<Keeping<EnvVar> | undefined> => withEnvVar(db, ref, userId, isEnvVarId(id) ? id : null)

const withCron = readNamed<{ branch: KnownBranch | null; cron: Written<Cron> | null }>({
  columns: 'row_to_json(branches) as branch, row_to_json(crons) as cron',
  joins: `left join branches
      on branches.repository_id = repositories.id and branches.name = $2::text
    left join crons on crons.branch_id = branches.id`,
  parameters: 1,
})

/** A repository with one of its branches, and the branch's cron. */
export async function repositoryWithCron(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
  name: string,
): Promise<(Seen<Repository> & { branch: KnownBranch | null; cron: Cron | null }) | undefined> {
  const row = await withCron(db, ref, userId, isStorable(name) ? name : null)
  if (!row) return
  const { branch, cron } = row
  const repository = seenRepositoryIn(row)
  const isDefault = name === repository.default_branch_name
  const found = branch ?? (isDefault ? branchWithoutRow(repository) : null)
  return Object.assign(repository, { branch: found, cron: cron && cronIn(cron) })
}
