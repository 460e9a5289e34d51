import { requestRights } from '../../../access/build-rights.ts'
import { time } from '../../../domain/time/api-time.ts'
import { approvalText } from '../../../texts/approval-text.ts'
import { checkText } from '../../../texts/check-text.ts'
import { anyObject, orNull } from '../../openapi/schema.ts'
import { requestApproval } from '../../views/request-approval.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { repositoryTemplates } from '../records/one-repository.ts'
import { oneRequest, type RequestModel, shownResult } from './request.ts'

declare module '../core/resource.ts' {
  interface Models {
    explanation: RequestModel
  }
}

const attributes = ['result', 'reason', 'message', 'checks', 'approval', 'request'] as const

/**
 * Why a request led to a build, or to none: each check that was made, in order, with the values that it
 * saw (D34). The last check decided. For a fork's commit also whether, by whom and until when it is
 * approved.
 */
export const explanation = resourceOf<RequestModel>()({
  type: 'explanation',
  href: ({ repository_id, id }) => `/repo/${repository_id}/request/${id}/explain`,
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    result: each(shownResult),
    checks: each(({ checks }) =>
      checks.map((check) => ({
        rule: check.rule,
        passed: check.passed,
        text: checkText(check),
        values: check.values,
        source: check.source,
      })),
    ),
    approval: ({ ctx }, requests) =>
      Promise.all(
        requests.map(async (request) => {
          const approval = await requestApproval(ctx.db, request)
          if (approval === null) return null
          const { state, by, at, until } = approval
          return { state, text: approvalText(approval), by, at: time(at), until: time(until) }
        }),
      ),
  },
  links: { request: { to: 'request', read: each((request) => request) } },
  types: { approval: orNull(anyObject) },
})

export const explanationActions = actionsOf(explanation, {
  find: get(repositoryTemplates('/request/{request.id}/explain'), {
    ...oneRequest,
    right: 'read',
    docs: {
      summary:
        'why a request led to a build or not: each check with the values it used; the last one decided',
    },
    present: as('standard', explanation),
  }),
})
