import {
  anyObject,
  constant,
  integer,
  type JsonSchema,
  listOf,
  objectOf,
  oneOf,
  orNull,
  refTo,
  text,
  textOrNull,
  truth,
} from '../../openapi/schema.ts'
import { errorTypes } from '../core/errors.ts'

const neighbour = objectOf({ '@href': text, offset: integer, limit: integer })

/** Schemas of objects without a record. */
export const formSchemas: Readonly<Record<string, JsonSchema>> = {
  error: objectOf(
    {
      '@type': constant('error'),
      error_type: oneOf(Object.keys(errorTypes)),
      error_message: text,
      resource_type: textOrNull,
      permission: text,
    },
    ['resource_type', 'permission'],
  ),
  pagination: objectOf({
    limit: integer,
    offset: integer,
    count: integer,
    is_first: truth,
    is_last: truth,
    next: orNull(neighbour),
    prev: orNull(neighbour),
    first: neighbour,
    last: neighbour,
  }),
  pending: objectOf({ '@type': constant('pending'), resource_type: text }),
  reference: { ...objectOf({ '@href': text }), maxProperties: 1 },
  template: objectOf(
    {
      '@type': constant('template'),
      request_method: oneOf(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
      uri_template: text,
      accepted_params: listOf(text),
    },
    ['accepted_params'],
  ),
  warning: objectOf(
    {
      '@type': constant('warning'),
      message: text,
      warning_type: text,
      parameter: text,
      value: text,
    },
    ['warning_type', 'parameter', 'value'],
  ),
  resource: objectOf(
    {
      '@type': constant('resource'),
      actions: { type: 'object', additionalProperties: listOf(refTo('template')) },
      attributes: listOf(text),
      representations: { type: 'object', additionalProperties: listOf(text) },
      permissions: listOf(text),
      sortable_by: listOf(text),
      default_sort: text,
    },
    ['representations', 'permissions', 'sortable_by', 'default_sort'],
  ),
  home: objectOf({
    '@type': constant('home'),
    '@href': text,
    config: anyObject,
    errors: {
      type: 'object',
      additionalProperties: objectOf({
        status: integer,
        default_message: text,
        additional_attributes: listOf(text),
      }),
    },
    resources: { type: 'object', additionalProperties: refTo('resource') },
  }),
}
