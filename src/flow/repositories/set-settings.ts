import type { Actor } from '../../domain/audit.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Settings } from '../../domain/settings.ts'
import { changeSettings, settingsOf } from '../../store/repositories/settings.ts'
import { holdLock } from '../../store/sql/locks.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { differing } from './changed-fields.ts'

/** Changes these settings of a repository, and returns all of them. */
export function setSettings(
  ctx: Context,
  actor: Actor,
  { id, owner_id, owner_type }: Pick<Repository, 'id' | 'owner_id' | 'owner_type'>,
  given: Partial<Settings>,
): Promise<Settings> {
  if (Object.keys(given).length === 0) return settingsOf(ctx.db, id)
  return transact(ctx, async (tx) => {
    await holdLock(tx.db, `settings:${id}`)
    const known = await settingsOf(tx.db, id)
    const { changed, before } = differing(known, given)
    if (Object.keys(changed).length === 0) return known
    const after = await changeSettings(tx.db, id, changed)
    const record = {
      action: 'change_settings',
      subject_type: 'repository',
      subject_id: id,
    } as const
    await audit(tx, actor, { ...record, changed: { ...changed, before } })
    // More jobs might be able to run now.
    if ('maximum_number_of_builds' in changed) tx.follow('jobs.schedule', { owner_id, owner_type })
    return after
  })
}
