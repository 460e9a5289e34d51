import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/** A feature that some users try before all others, with its state for one user. */
export interface BetaFeature {
  id: number
  name: string
  description: string
  feedback_url: string | null
  enabled: boolean
  /** Whether the user made that choice, and not the operator of the service. */
  chosen: boolean
}

/** All features, or the feature with this id, with their state for a user. */
export async function betaFeaturesOf(
  db: Database,
  userId: number,
  id?: number,
): Promise<BetaFeature[]> {
  const { rows } = await sql<BetaFeature>`
    select id, name, description, feedback_url, coalesce(chosen.enabled, beta_features.enabled) as enabled,
      chosen.enabled is not null as chosen
    from beta_features
    left join user_beta_features as chosen
      on chosen.beta_feature_id = beta_features.id and chosen.user_id = ${userId}
    where beta_features.id = coalesce(${id ?? null}::bigint, beta_features.id)
    order by beta_features.id
  `.execute(db)
  return rows
}

export async function putUserBetaFeature(
  db: Database,
  row: { user_id: number; beta_feature_id: number; enabled: boolean },
): Promise<void> {
  await db
    .insertInto('user_beta_features')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'beta_feature_id']).doUpdateSet({ enabled: row.enabled }),
    )
    .execute()
}

export async function deleteUserBetaFeature(
  db: Database,
  userId: number,
  id: number,
): Promise<void> {
  await db
    .deleteFrom('user_beta_features')
    .where('user_id', '=', userId)
    .where('beta_feature_id', '=', id)
    .execute()
}
