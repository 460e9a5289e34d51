import type { Viewer } from '../../../access/viewer.ts'
import { validationFailed } from '../../../domain/errors.ts'
import { setBuildEmails } from '../../../flow/people/preferences.ts'
import type { SeenOwner } from '../../../store/people/seen-owners.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyValue, settingFlag } from '../../parameters/fields.ts'
import { described, ofType, required } from '../../parameters/parameter.ts'
import { actionsOf, get, patch } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { resourceOf } from '../core/resource.ts'
import { oneOrganization } from '../records/one-organization.ts'
import { ownerRights } from '../records/one-owner.ts'

export interface Preference {
  name: string
  value: boolean | string
  owner: SeenOwner
}

declare module '../core/resource.ts' {
  interface Models {
    preference: Preference
  }
}

const attributes = ['name', 'value'] as const

/** Rights to see and change an owner's preferences: for the user, or for an organization's admins. */
export function preferenceRights(viewer: Viewer, { owner }: { owner: SeenOwner }) {
  const { write } = ownerRights(viewer, owner)
  return { read: write, write }
}

export const preference = resourceOf<Preference>()({
  type: 'preference',
  href: ({ owner, name }) =>
    owner.type === 'user' ? `/preference/${name}` : `/org/${owner.model.id}/preference/${name}`,
  rights: preferenceRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
})

/** Preferences of other editions, with a fixed value here. */
const constants = { consume_oss_credits: true, private_insights_visibility: 'private' }

/** The preferences of an owner. Only users have a preference that can be changed. */
export function preferencesOf(owner: SeenOwner): Preference[] {
  const own = owner.type === 'user' ? { build_emails: owner.model.build_emails } : {}
  return Object.entries({ ...own, ...constants }).map(([name, value]) => ({ name, value, owner }))
}

/** The caller, as an owner of preferences. */
export function callerOf({ viewer: { user } }: Call): SeenOwner | undefined {
  return user && { type: 'user', model: user }
}

function named({ params }: Call, owner: SeenOwner | undefined): Preference | undefined {
  return owner && preferencesOf(owner).find(({ name }) => name === params.preference)
}

const ofCaller = {
  type: 'preference',
  login: true,
  find: async (call: Call) => named(call, callerOf(call)),
  rights: preferenceRights,
} as const

const ofOrganization = {
  type: 'preference',
  login: true,
  within: oneOrganization,
  find: async (call: Call, model: Extract<SeenOwner, { type: 'organization' }>['model']) =>
    named(call, { type: 'organization', model }),
  rights: preferenceRights,
} as const

const flag = settingFlag()

/** The steps shared by actions that change a preference. */
const update = {
  scope: 'settings',
  right: 'write',
  accepts: ofType('preference', {
    value: described(
      'true or false for `build_emails`; for others the value that they have',
      required(anyValue()),
    ),
  }),
  async act(
    call: Call,
    preference: Preference,
    { 'preference.value': given }: { readonly 'preference.value': unknown },
  ): Promise<Preference> {
    const { name } = preference
    if (name !== 'build_emails') {
      if (given === preference.value) return preference
      throw validationFailed([{ field: 'value', code: 'invalid' }])
    }
    const value = flag.read(given, 'preference.value') ?? preference.value === true
    await setBuildEmails(call.ctx, actorOf(call), value)
    return { ...preference, value }
  },
  present: as('standard', preference),
} as const

const find = { right: 'read', present: as('standard', preference) } as const

const organizationTemplate = '/org/{organization.id}/preference/{preference.name}'

export const preferenceActions = actionsOf(preference, {
  find: get('/preference/{preference.name}', {
    ...ofCaller,
    ...find,
    docs: { summary: 'a preference of the caller' },
  }),
  update: patch('/preference/{preference.name}', {
    ...ofCaller,
    ...update,
    docs: {
      summary:
        'changes `build_emails` of the caller; other preferences have one value, and accept no other',
    },
  }),
  find_for_organization: get(organizationTemplate, {
    ...ofOrganization,
    ...find,
    docs: { summary: 'a preference of an organization; for its admins' },
  }),
  update_for_organization: patch(organizationTemplate, {
    ...ofOrganization,
    ...update,
    docs: {
      summary:
        'accepts the only value that a preference of an organization has, and changes nothing; for its admins',
    },
  }),
})
