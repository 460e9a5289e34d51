import type { Change } from '../domain/audit.ts'
import { type EnvVar, holderOf } from '../domain/env-var.ts'

/** Whose settings a record of a changed variable is about. */
export function holderInAudit(variable: EnvVar): Pick<Change, 'subject_type' | 'subject_id'> {
  const holder = holderOf(variable)
  if ('repository_id' in holder) {
    return { subject_type: 'repository', subject_id: holder.repository_id }
  }
  const { owner_type, owner_id } = holder
  return { subject_type: owner_type === 'User' ? 'user' : 'organization', subject_id: owner_id }
}
