import { administrationRights } from '../../../access/administration.ts'
import type { AuditRecord } from '../../../domain/audit.ts'
import { time } from '../../../domain/time/api-time.ts'
import { each, resourceOf } from '../core/resource.ts'

declare module '../core/resource.ts' {
  interface Models {
    audit_record: AuditRecord
  }
}

const minimal = ['id', 'actor', 'action', 'subject_type', 'subject_id'] as const

/** A change with its author and its time. */
export const auditRecord = resourceOf<AuditRecord>()({
  type: 'audit_record',
  rights: administrationRights,
  permissions: ['read', 'write'],
  representations: {
    minimal,
    standard: [...minimal, 'actor_id', 'token_id', 'address', 'changed', 'created_at'],
  },
  values: {
    token_id: each(({ details }) => details.token_id),
    address: each(({ details }) => details.address),
    changed: each(({ details }) => details.changed),
    created_at: each(({ created_at }) => time(created_at)),
  },
})
