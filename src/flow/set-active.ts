import type { Actor } from '../domain/audit.ts'
import type { Repository } from '../domain/repository.ts'
import { requestSync } from '../store/installation-syncs.ts'
import { findInstallationOf } from '../store/installations.ts'
import { findPublicKey } from '../store/key-pairs.ts'
import { setRepositoryActive } from '../store/repositories.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { makeKeyPair } from './make-key-pair.ts'
import { transact } from './transact.ts'

/**
 * Activates a repository, so that what happens there is built, or deactivates it; running builds go
 * on. What the code host knows of an activated one is looked up. An active one has a key pair, but
 * nothing that is missing keeps it from being activated.
 */
export async function setActive(
  ctx: Context,
  actor: Actor,
  { id, active: before, ...owner }: Pick<Repository, 'id' | 'active' | 'owner_id' | 'owner_type'>,
  active: boolean,
): Promise<void> {
  if (active !== before) {
    await transact(ctx, async (tx) => {
      if (!(await setRepositoryActive(tx.db, id, active))) return
      const action = active ? 'activate' : 'deactivate'
      await audit(tx, actor, { action, subject_type: 'repository', subject_id: id })
      const installation = active ? await findInstallationOf(tx.db, owner) : undefined
      if (installation) {
        await requestSync(tx.db, installation.codehost_id)
        tx.follow('installation.sync', { installation: installation.codehost_id })
      }
    })
  }
  if (!active || (await findPublicKey(ctx.db, id))) return
  await makeKeyPair(ctx, id).catch((reason: unknown) => {
    ctx.log.warn({ err: reason, repository_id: id }, 'no key pair could be made yet')
  })
}
