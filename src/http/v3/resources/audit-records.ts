import { auditRecords as auditRecordsIn } from '../../../store/audit-records.ts'
import { anyOf, filterId } from '../../parameters/kinds.ts'
import { actionsOf, get } from '../action.ts'
import { ofInstallation } from '../administration.ts'
import { uncounted } from '../list-query.ts'
import { collectionOf } from '../collection.ts'
import { pageSteps } from '../page-steps.ts'
import type { Models } from '../resource.ts'
import { auditRecord } from './audit-record.ts'
import { described } from '../../parameters/parameter.ts'

export const auditRecords = collectionOf<Models['audit_record']>()({
  type: 'audit_records',
  of: auditRecord,
  limit: 25,
  filters: {
    'audit_record.action': described(
      'what was done, such as cancel or remove_log; several are separated by commas',
      anyOf(),
    ),
    'audit_record.actor': described('logins of those who did it', anyOf()),
    'audit_record.before': described(
      'the id of an audit record: only older ones are listed',
      filterId(),
    ),
    'audit_record.subject_id': described('the id of what was changed', filterId()),
    'audit_record.subject_type': described(
      'the kind of what was changed, such as build or repository',
      anyOf(),
    ),
  },
})

export const auditRecordsActions = actionsOf(auditRecords, {
  for_installation: get(
    '/audit_records',
    pageSteps(
      auditRecords,
      {
        ...ofInstallation('audit_records'),
        docs: {
          summary:
            'who changed what in this installation, the newest first; for administrators of the service',
        },
      },
      async ({ ctx }, _installation, query) => {
        const filter = {
          actions: query.filters['audit_record.action'],
          actors: query.filters['audit_record.actor'],
          before: query.filters['audit_record.before'],
          subject_id: query.filters['audit_record.subject_id'],
          subject_types: query.filters['audit_record.subject_type'],
        }
        return uncounted(query, await auditRecordsIn(ctx.db, filter, query))
      },
    ),
  ),
})
