import type { Actor } from '../domain/audit.ts'
import type { ListedToken } from '../store/listed-tokens.ts'
import { revokeToken } from '../store/tokens.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/** Has a token end now. */
export async function revokeOneToken(
  ctx: Context,
  { id, name, repository_id }: Pick<ListedToken, 'id' | 'name' | 'repository_id'>,
  actor: Actor,
): Promise<void> {
  await transact(ctx, async (tx) => {
    if (!(await revokeToken(tx.db, id, tx.now()))) return
    const subject =
      repository_id === null
        ? ({ subject_type: 'token', subject_id: id } as const)
        : ({ subject_type: 'repository', subject_id: repository_id } as const)
    await audit(tx, actor, { action: 'revoke_token', ...subject, changed: { token: id, name } })
  })
}
