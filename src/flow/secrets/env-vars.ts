import { randomUUID } from 'node:crypto'
import type { Actor, Change } from '../../domain/audit.ts'
import { type EnvVar, type EnvVarHolder, mostVariables, holderOf } from '../../domain/env-var.ts'
import { ServiceError } from '../../domain/errors.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import {
  insertEnvVar,
  countEnvVars,
  type EnvVarKey,
  isEnvVarTaken,
  lockEnvVar,
  updateEnvVar,
  deleteEnvVar,
} from '../../store/secrets/env-vars.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { Database } from '../../store/tables.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { differing } from '../repositories/changed-fields.ts'
import { transact } from '../transact.ts'

type NewEnvVar = EnvVarHolder & Pick<EnvVar, 'name' | 'public' | 'branch'> & { value: string }

/**
 * Adds a variable to the settings of a repository, or of an owner. Other variables may have the same name,
 * unless `distinct` is set: then an existing variable of that name and branch is an error.
 */
export function addEnvVar(
  ctx: Context,
  actor: Actor,
  { value, ...given }: NewEnvVar,
  { distinct = false }: { distinct?: boolean } = {},
): Promise<EnvVar> {
  return transact(ctx, async (tx) => {
    if (distinct) await refuseTakenEnvVar(tx.db, given)
    else await lockEnvVars(tx.db, given)
    await refuseManyEnvVars(tx.db, given)
    const id = randomUUID()
    const sealed_value = tx.sealer.sealText(sealedIn.envVar(id), value)
    const variable = await insertEnvVar(tx.db, { ...given, id, sealed_value })
    const { name, public: shown, branch } = variable
    await audit(tx, actor, {
      action: 'add_env_var',
      ...holderInAudit(variable),
      changed: { id, name, public: shown, branch },
    })
    return variable
  })
}

/** Throws if a repository, or an owner, has the maximum of variables. The caller holds their lock. */
async function refuseManyEnvVars(db: Database, holder: EnvVarHolder): Promise<void> {
  if ((await countEnvVars(db, holder)) < mostVariables) return
  const whose = 'repository_id' in holder ? 'the repository' : 'the owner'
  const message = `${whose} has ${mostVariables} variables, which is the most: remove one of them first`
  throw new ServiceError('unprocessable_entity', message)
}

/** Keeps other callers from adding variables to the same settings, for the rest of the transaction. */
async function lockEnvVars(db: Database, holder: EnvVarHolder): Promise<void> {
  const name =
    'repository_id' in holder ? holder.repository_id : `${holder.owner_type}:${holder.owner_id}`
  await holdLock(db, `env_vars:${name}`)
}

/**
 * Throws if the holder of a variable has another variable of this name for the same branch. Otherwise the
 * transaction keeps other callers from adding one.
 */
async function refuseTakenEnvVar(db: Database, variable: EnvVarKey): Promise<void> {
  await lockEnvVars(db, variable)
  if (!(await isEnvVarTaken(db, variable))) return
  const branch = variable.branch === null ? 'all branches' : `branch ${variable.branch}`
  const message = `there is a variable ${variable.name} for ${branch} already`
  throw new ServiceError('duplicate_resource', message)
}

/** The changes of a variable; undefined fields stay as they are. */
interface EnvVarChanges {
  name: string | undefined
  value: string | undefined
  public: boolean | undefined
  branch: string | null | undefined
}

/** The fields that are not secret. */
type Shown = Pick<EnvVar, 'name' | 'public' | 'branch'>

/**
 * Changes a variable; a variable that is made public shows its value from then on.
 * Undefined if it no longer exists. With `distinct`, it must not get the name and branch of another one.
 */
export function changeEnvVar(
  ctx: Context,
  actor: Actor,
  variable: EnvVar,
  changes: EnvVarChanges,
  { distinct = false }: { distinct?: boolean } = {},
): Promise<EnvVar | undefined> {
  const { value, ...others } = changes
  if (Object.values(changes).every((to) => to === undefined)) return Promise.resolve(variable)
  return transact(ctx, async (tx) => {
    const known = await lockEnvVar(tx.db, variable.id)
    if (!known) return
    const { changed: shown, before } = differing<Shown>(known, others)
    if (value === undefined && Object.keys(shown).length === 0) return known
    if (distinct) await refuseMoved(tx.db, known, changes)
    const sealed_value =
      value === undefined ? undefined : tx.sealer.sealText(sealedIn.envVar(variable.id), value)
    const updated = await updateEnvVar(tx.db, variable.id, { ...shown, sealed_value })
    if (!updated) return
    const { id, name, branch } = updated
    await audit(tx, actor, {
      action: 'change_env_var',
      ...holderInAudit(updated),
      // The names of all changed fields, and the values of the fields that are not secret.
      changed: {
        id,
        name,
        branch,
        public: updated.public,
        members: [...Object.keys(shown), ...(value === undefined ? [] : ['value'])],
        before,
      },
    })
    return updated
  })
}

/** Throws if the changes give a variable the name and branch of another variable. */
async function refuseMoved(db: Database, variable: EnvVar, changes: EnvVarChanges): Promise<void> {
  const { name = variable.name, branch = variable.branch } = changes
  if (name === variable.name && branch === variable.branch) return
  await refuseTakenEnvVar(db, { ...holderOf(variable), id: variable.id, name, branch })
}

/** Removes a variable from the settings that have it. Undefined if it no longer existed. */
export function removeEnvVar(
  ctx: Context,
  actor: Actor,
  { id }: Pick<EnvVar, 'id'>,
): Promise<EnvVar | undefined> {
  return transact(ctx, async (tx) => {
    const removed = await deleteEnvVar(tx.db, id)
    if (!removed) return
    await audit(tx, actor, {
      action: 'remove_env_var',
      ...holderInAudit(removed),
      changed: { id, name: removed.name },
    })
    return removed
  })
}

/** The audit subject of a variable: the repository or owner whose settings have it. */
function holderInAudit(variable: EnvVar): Pick<Change, 'subject_type' | 'subject_id'> {
  const holder = holderOf(variable)
  if ('repository_id' in holder) {
    return { subject_type: 'repository', subject_id: holder.repository_id }
  }
  const { owner_type, owner_id } = holder
  return { subject_type: owner_type === 'User' ? 'user' : 'organization', subject_id: owner_id }
}
