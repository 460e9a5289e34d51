import { permittedUser } from '../../../access/viewer.ts'
import { setSubscribed } from '../../../flow/set-subscribed.ts'
import { actorOf } from '../../actor.ts'
import type { Call } from '../../endpoint.ts'
import { actionsOf, del, post } from '../action.ts'
import { oneOrganization } from '../one-organization.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { asNothing } from '../presented.ts'

/** Whether the caller gets build mails: there is nothing to show of it but in repositories. */
const write = {
  login: true,
  scope: 'settings',
  // They are the user's own, wherever they are.
  forSome: false,
  right: 'read',
  present: asNothing,
} as const

const ofRepository = (subscribed: boolean) => ({
  ...oneRepository,
  ...write,
  act: (call: Call, { id }: { id: number }) =>
    setSubscribed(call.ctx, actorOf(call), { type: 'repository', id }, subscribed),
})

const ofOrganization = (subscribed: boolean) => ({
  ...oneOrganization,
  ...write,
  act(call: Call, { id }: { id: number }) {
    const permitted_id = permittedUser(call.viewer)
    const source = { type: 'organization', id, permitted_id } as const
    return setSubscribed(call.ctx, actorOf(call), source, subscribed)
  },
})

const organizationTemplate = '/org/{organization.id}/email_subscription'

export const emailSubscriptionActions = actionsOf(
  { type: 'email_subscription' },
  {
    resubscribe: post(repositoryTemplates('/email_subscription'), ofRepository(true)),
    unsubscribe: del(repositoryTemplates('/email_subscription'), ofRepository(false)),
    resubscribe_to_organization: post(organizationTemplate, ofOrganization(true)),
    unsubscribe_from_organization: del(organizationTemplate, ofOrganization(false)),
  },
)
