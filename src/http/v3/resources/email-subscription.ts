import { permittedUser } from '../../../access/viewer.ts'
import { setSubscribed } from '../../../flow/people/preferences.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { actionsOf, del, post } from '../core/action.ts'
import { asNothing } from '../core/presented.ts'
import { oneOrganization } from '../records/one-organization.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'

/** Steps to change whether the caller gets build mails. Only repositories show the subscription. */
const write = {
  login: true,
  scope: 'settings',
  // Subscriptions are the user's own, not a part of repositories.
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
        'subscribes the caller to a repository’s build mails; changes nothing for a subscriber',
      ),
    ),
    unsubscribe: del(
      repositoryTemplates('/email_subscription'),
      ofRepository(
        false,
        'unsubscribes the caller from a repository’s build mails; changes nothing for others',
      ),
    ),
    resubscribe_to_organization: post(
      organizationTemplate,
      ofOrganization(
        true,
        'subscribes the caller to the build mails of all repositories of an organization',
      ),
    ),
    unsubscribe_from_organization: del(
      organizationTemplate,
      ofOrganization(
        false,
        'unsubscribes the caller from the build mails of those repositories of an organization on which the caller has a role',
      ),
    ),
  },
)
