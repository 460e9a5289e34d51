import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { always, each, resourceOf } from '../core/resource.ts'
import { oneOwner, ownerTemplates } from '../records/one-owner.ts'

interface Owner {
  id: number
}

declare module '../core/resource.ts' {
  interface Models {
    allowance: Owner
  }
}

/** The allowance of an owner. There are no paid plans, so all owners have the same. */
export const allowance = resourceOf<Owner>()({
  type: 'allowance',
  rights: () => ({ read: true, write: false }),
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id'],
    standard: [
      'id',
      'subscription_type',
      'public_repos',
      'private_repos',
      'concurrency_limit',
      'user_usage',
      'pending_user_licenses',
      'payment_changes_block_credit',
      'payment_changes_block_captcha',
      'credit_card_block_duration',
      'captcha_block_duration',
    ],
  },
  values: {
    subscription_type: always(1),
    public_repos: always(true),
    private_repos: always(true),
    concurrency_limit: each((_owner, { ctx: { config } }) =>
      config.ownerJobs < 0 ? null : config.ownerJobs,
    ),
    user_usage: always(false),
    pending_user_licenses: always(false),
    payment_changes_block_credit: always(false),
    payment_changes_block_captcha: always(false),
    credit_card_block_duration: always(0),
    captcha_block_duration: always(0),
  },
})

export const allowanceActions = actionsOf(allowance, {
  for_owner: get(ownerTemplates('/allowance'), {
    type: 'allowance',
    docs: {
      summary:
        'the allowance of a user or an organization, the same for all; `concurrency_limit` is null where jobs are not limited',
    },
    within: oneOwner,
    find: async (_call, { model: { id } }) => ({ id }),
    rights: allowance.rights,
    right: 'read',
    present: as('standard', allowance),
  }),
})
