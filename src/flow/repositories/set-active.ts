import type { Actor } from '../../domain/audit.ts'
import type { Repository } from '../../domain/repository.ts'
import { requestSync } from '../../store/installations/installation-syncs.ts'
import { findInstallationOf } from '../../store/installations/installations.ts'
import { setRepositoryActive } from '../../store/repositories/repositories.ts'
import { findPublicKey } from '../../store/secrets/key-pairs.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { makeKeyPair } from '../secrets/key-pairs.ts'
import { transact } from '../transact.ts'

/**
 * Activates a repository, so that its events are built, or deactivates it; running builds continue. For
 * an activated repository, a sync of its installation is requested, and a key pair is made in the
 * background.
 */
export async function setActive(
  ctx: Context,
  actor: Actor,
  { id, active: before, ...owner }: Pick<Repository, 'id' | 'active' | 'owner_id' | 'owner_type'>,
  active: boolean,
): Promise<void> {
  if (active !== before) {
    await transact(ctx, async (tx) => {
      const installation = active ? await findInstallationOf(tx.db, owner) : undefined
      if (installation) {
        await requestSync(tx.db, installation.codehost_id)
        tx.follow('installation.sync', { installation: installation.codehost_id })
      }
      if (!(await setRepositoryActive(tx.db, id, active))) return
      const action = active ? 'activate' : 'deactivate'
      await audit(tx, actor, { action, subject_type: 'repository', subject_id: id })
    })
  }
  if (!active || (await findPublicKey(ctx.db, id))) return
  // Other key pairs may delay this one. A caller that needs it earlier makes it or waits for it.
  makeKeyPair(ctx, id).catch((reason: unknown) => {
    ctx.log.warn({ err: reason, repository_id: id }, 'no key pair could be made yet')
  })
}
