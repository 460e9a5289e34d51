import type { EnvVar } from '../../../domain/env-var.ts'
import { notFound } from '../../../domain/errors.ts'
import { changeEnvVar, removeEnvVar } from '../../../flow/secrets/env-vars.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import { ownerRefOf, type SeenOwner } from '../../../store/people/seen-owners.ts'
import { findEnvVar } from '../../../store/secrets/env-vars.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { text } from '../../openapi/schema.ts'
import { ofType } from '../../parameters/parameter.ts'
import { actionsOf, del, get, patch } from '../core/action.ts'
import { as, asNothing } from '../core/presented.ts'
import { absent, each, resourceOf } from '../core/resource.ts'
import { ownerByIdTemplates, oneOwnerById, ownerRights } from '../records/one-owner.ts'
import { changedVariable } from '../records/variable-members.ts'
import { warnUnmasked } from '../records/warn-unmasked.ts'

/** A variable for all repositories of an owner, as one user sees that owner. */
type AccountEnvVar = EnvVar & { owner: SeenOwner }

declare module '../core/resource.ts' {
  interface Models {
    account_env_var: AccountEnvVar
  }
}

export const accountEnvVar = resourceOf<AccountEnvVar>()({
  type: 'account_env_var',
  href: ({ id, owner: { type, model } }) =>
    `/${type === 'user' ? 'user' : 'org'}/${model.id}/account_env_var/${id}`,
  // As with a repository's variables, names are visible only to users who can change them.
  rights(viewer, { owner }) {
    const { write } = ownerRights(viewer, owner)
    return { read: write, write }
  },
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id', 'name', 'public'],
    standard: ['id', 'name', 'value', 'public'],
  },
  values: {
    value: each(({ id, sealed_value, public: isShown }, { ctx }) =>
      isShown ? ctx.sealer.openText(sealedIn.envVar(id), sealed_value) : absent,
    ),
  },
  types: { id: text },
  optional: ['value'],
})

const oneAccountEnvVar = {
  type: 'account_env_var',
  login: true,
  within: oneOwnerById,
  async find({ ctx, params }: Call, owner: SeenOwner): Promise<AccountEnvVar | undefined> {
    const variable = await findEnvVar(ctx.db, params.account_env_var ?? '')
    const { owner_type, owner_id } = ownerRefOf(owner)
    const isItsOwn = variable?.owner_type === owner_type && variable.owner_id === owner_id
    return isItsOwn ? { ...variable, owner } : undefined
  },
  rights: accountEnvVar.rights,
}

const template = ownerByIdTemplates('/account_env_var/{account_env_var.id}')

export const accountEnvVarActions = actionsOf(accountEnvVar, {
  find: get(template, {
    ...oneAccountEnvVar,
    right: 'read',
    docs: {
      summary:
        'a variable of an owner; its value is shown only if it is public; only for admins of the owner',
    },
    present: as('standard', accountEnvVar),
  }),

  update: patch(template, {
    ...oneAccountEnvVar,
    scope: 'settings',
    right: 'write',
    docs: {
      summary:
        'updates the given fields of an owner’s variable; a value that becomes public is shown; only for admins of the owner',
      fails: ['duplicate_resource'],
    },
    accepts: ofType('account_env_var', changedVariable),
    async act(call, { owner, ...variable }, values): Promise<AccountEnvVar> {
      const changes = {
        name: values['account_env_var.name'],
        value: values['account_env_var.value'],
        public: values['account_env_var.public'],
        branch: undefined,
      }
      const changed = await changeEnvVar(call.ctx, actorOf(call), variable, changes, {
        distinct: true,
      })
      if (!changed) throw notFound('account_env_var')
      if (changes.value !== undefined || changes.public !== undefined) {
        warnUnmasked(call, 'account_env_var', changed)
      }
      return { ...changed, owner }
    },
    present: as('standard', accountEnvVar),
  }),

  delete: del(template, {
    ...oneAccountEnvVar,
    scope: 'settings',
    right: 'write',
    docs: { summary: 'removes a variable of an owner; only for admins of the owner' },
    async act(call, variable) {
      if (!(await removeEnvVar(call.ctx, actorOf(call), variable)))
        throw notFound('account_env_var')
    },
    present: asNothing,
  }),
})
