import type { Actor } from '../domain/audit.ts'
import {
  type BetaFeature,
  deleteUserBetaFeature,
  putUserBetaFeature,
} from '../store/beta-features.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Turns a feature on or off for a user; with null it is again as it is for everyone. */
export function chooseBetaFeature(
  ctx: Context,
  actor: Actor,
  { id, name }: Pick<BetaFeature, 'id' | 'name'>,
  enabled: boolean | null,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const user_id = actor.user.id
    await (enabled === null
      ? deleteUserBetaFeature(tx.db, user_id, id)
      : putUserBetaFeature(tx.db, { user_id, beta_feature_id: id, enabled }))
    const changed = { [name]: enabled }
    const subject = { subject_type: 'user', subject_id: user_id } as const
    await audit(tx, actor, { action: 'choose_beta_feature', ...subject, changed })
  })
}
