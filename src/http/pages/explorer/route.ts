import { notFound } from '../../../domain/errors.ts'
import { readBody } from '../../bodies/read-body.ts'
import { markFailed } from '../../caching/idempotency.ts'
import { withHeaders } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { bodyOf } from '../../core/request-input.ts'
import { checkForm, checkSessionGoesOn } from '../../identity/session.ts'
import { withTicket } from '../../identity/tickets.ts'
import type { Given } from '../../parameters/nest.ts'
import type { Action } from '../../v3/core/action.ts'
import { asPage } from '../as-page.tsx'
import { ActionPage } from './action-page.tsx'
import { catalogue, type ExplorerEntry } from './catalogue.ts'
import { nothingTyped, readTyped, type Typed } from './fields.ts'
import { IndexPage } from './index-page.tsx'
import { ResourcePage } from './resource-page.tsx'
import { type Tried, tryAction } from './try-action.ts'

const showIndex = asPage(IndexPage)
const showResource = asPage(ResourcePage)
const showAction = asPage(ActionPage)

const actionAddress = '/docs/v3/:resource/:action'

export const explorerPages = [
  get('/docs/v3', { open: true, answer: (call) => showIndex({ catalogue }, call) }),

  get('/docs/v3/:resource', {
    open: true,
    answer: (call) => showResource({ entry: entryOf(call) }, call),
  }),

  get(actionAddress, {
    open: true,
    answer: (call) =>
      showAction({ action: actionOf(call), typed: nothingTyped, tried: null }, call),
  }),

  // Changes are made only by the call that is tried: with the token in the form, else for the session's user.
  post(actionAddress, {
    open: true,
    once: true,
    async answer(call) {
      const action = actionOf(call)
      const { headers } = call.request
      // Only the body is read: URLs contain neither the call nor the token (D25).
      const sent = readBody(bodyOf(call.request), headers['content-type'] ?? '', 'parameters')
      const typed = readTyped(action, sent)
      const tried = await tryWithToken(call, action, sent, typed)
      if ('problem' in tried || tried.status >= 400) markFailed(call.request)
      return withHeaders(showAction({ action, typed, tried }, call), {
        'cache-control': 'no-store',
      })
    },
  }),
]

function tryWithToken(call: Call, action: Action, sent: Given, typed: Typed): Promise<Tried> {
  const { viewer, request } = call
  if (typed.token !== '') return tryAction(call, action, typed)
  checkForm(viewer, sent, request.headers)
  checkSessionGoesOn(viewer, sent)
  if (viewer.form_token === undefined) return tryAction(call, action, typed)
  return withTicket(viewer, (ticket) => tryAction(call, action, typed, ticket))
}

function entryOf({ params }: Call): ExplorerEntry {
  const entry = catalogue.find(({ type }) => type === params.resource)
  if (!entry) throw notFound()
  return entry
}

function actionOf(call: Call): Action {
  const action = entryOf(call).actions.find(({ name }) => name === call.params.action)
  if (!action) throw notFound()
  return action
}
