import { sql } from 'kysely'
import type { Repository } from '../../domain/repository.ts'
import type { Database } from '../tables.ts'

export interface ConfigOfBranch {
  owner_name: string
  name: string
  branch: string
  number: number
  config: Record<string, unknown>
}

/**
 * The configs with encrypted values in the last builds of a repository's branches, and, unless `own`, of
 * branches of its owner's other repositories that import from it; only the newest `limit`.
 */
export async function configsOfBranches(
  db: Database,
  { id, owner_id, owner_type, owner_name, name }: Repository,
  { own, limit }: { own: boolean; limit: number },
): Promise<ConfigOfBranch[]> {
  const { rows } = await sql<ConfigOfBranch>`
    select owner_name, name, branch, number, config
    from (
      select repositories.id, repositories.owner_name, repositories.name, branches.name as branch,
        builds.number, builds.config
      from branches
        join builds on builds.id = branches.last_build_id
        join repositories on repositories.id = branches.repository_id
      where branches.exists_on_codehost and repositories.deleted_at is null
        and builds.config::text like '%"secure"%'
        and (repositories.id = ${id}
          or (not ${own} and repositories.owner_id = ${owner_id} and repositories.owner_type = ${owner_type}
            and exists (
              select from request_configs
              where request_configs.request_id = builds.request_id
                and starts_with(lower(source), ${`${owner_name}/${name}:`.toLowerCase()})
            )))
      order by builds.id desc limit ${limit}
    ) as newest
    order by id <> ${id}, id, branch
  `.execute(db)
  return rows
}
