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

const ofRepository = (subscribed: boolean, summary: string) => ({
  ...oneRepository,
  ...write,
  docs: { summary },
  act: (call: Call, { id }: { id: number }) =>
    setSubscribed(call.ctx, actorOf(call), { type: 'repository', id }, subscribed),
})

const ofOrganization = (subscribed: boolean, summary: string) => ({
  ...oneOrganization,
  ...write,
  docs: { summary },
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
    resubscribe: post(
      repositoryTemplates('/email_subscription'),
      ofRepository(
        true,
        'sends the caller build mails of a repository again; changes nothing where they are sent already',
      ),
    ),
    unsubscribe: del(
      repositoryTemplates('/email_subscription'),
      ofRepository(
        false,
        'sends the caller no more build mails of a repository; changes nothing where none are sent already',
      ),
    ),
    resubscribe_to_organization: post(
      organizationTemplate,
      ofOrganization(
        true,
        'sends the caller build mails of all repositories of an organization again',
      ),
    ),
    unsubscribe_from_organization: del(
      organizationTemplate,
      ofOrganization(
        false,
        'sends the caller no more build mails of those repositories of an organization on which the caller has a role',
      ),
    ),
  },
)
