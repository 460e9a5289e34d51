import { auditRecords as auditRecordsIn } from '../../../store/audit-records.ts'
import { actionsOf, get } from '../action.ts'
import { idFilter, ofInstallation } from '../administration.ts'
import { uncounted } from '../list-query.ts'
import { collectionOf } from '../collection.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { auditRecord } from './audit-record.ts'

export const auditRecords = collectionOf<Models['audit_record']>()({
  type: 'audit_records',
  of: auditRecord,
  limit: 25,
  filters: [
    'audit_record.action',
    'audit_record.actor',
    'audit_record.before',
    'audit_record.subject_id',
    'audit_record.subject_type',
  ],
})

export const auditRecordsActions = actionsOf(auditRecords, {
  for_installation: get(
    '/audit_records',
    pageSteps(
      auditRecords,
      ofInstallation('audit_records'),
      async ({ ctx }, _installation, query) => {
        const filter = {
          actions: query.valuesOf('audit_record.action'),
          actors: query.valuesOf('audit_record.actor'),
          before: idFilter(query, 'audit_record.before'),
          subject_id: idFilter(query, 'audit_record.subject_id'),
          subject_types: query.valuesOf('audit_record.subject_type'),
        }
        return uncounted(query, await auditRecordsIn(ctx.db, filter, query))
      },
    ),
  ),
})
