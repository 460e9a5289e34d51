import { auditRecords as auditRecordsIn } from '../../../store/upkeep/audit-records.ts'
import { anyOf, filterId } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { uncounted } from '../core/list-query.ts'
import { pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { ofInstallation } from '../records/administration.ts'
import { auditRecord } from './audit-record.ts'

export const auditRecords = collectionOf<Models['audit_record']>()({
  type: 'audit_records',
  of: auditRecord,
  limit: 25,
  filters: {
    'audit_record.action': described(
      'the action, such as cancel or remove_log; several are separated by commas',
      anyOf(),
    ),
    'audit_record.actor': described('logins of the people who made the change', anyOf()),
    'audit_record.before': described(
      'the id of an audit record: only older ones are listed',
      filterId(),
    ),
    'audit_record.subject_id': described('the id of the changed record', filterId()),
    'audit_record.subject_type': described(
      'the kind of the changed record, such as build or repository',
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
            'the changes made in this installation, with their authors, the newest first; for administrators of the service',
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
