import type { JsonSchema } from '../../openapi/schema.ts'
import { attributesOf, type AnyResource } from '../../v3/core/resource.ts'
import { schemas } from '../../v3/openapi/schemas.ts'
import type { Frame } from '../parts/layout.tsx'
import { wordsFor } from '../parts/schema-words.ts'
import { Table } from '../parts/table.tsx'
import { actionPath, resourcePath } from '../paths.ts'
import type { ExplorerEntry } from './catalogue.ts'
import { ExplorerFrame } from './explorer-frame.tsx'

interface ResourcePageProps {
  frame: Frame
  entry: ExplorerEntry
}

/** The attributes and actions of a resource. */
export function ResourcePage({ frame, entry }: ResourcePageProps) {
  const { prefix } = frame
  const { type, resource, collection, actions } = entry
  return (
    <ExplorerFrame frame={frame} title={type}>
      <h1>{type}</h1>
      {collection && (
        <p>
          A list of{' '}
          <a href={resourcePath(prefix, collection.of.type)}>
            <code>{collection.of.type}</code>
          </a>
          {collection.limit !== undefined && `, in pages of ${collection.limit}`}
          {collection.sort && `, sorted by ${collection.sort.keys.join(', ')}`}.
        </p>
      )}
      <h2 id="actions">Actions</h2>
      {actions.length === 0 ? (
        <p>None. It only appears inside other resources.</p>
      ) : (
        <Actions prefix={prefix} actions={actions} />
      )}
      {resource && <Attributes resource={resource} />}
      {resource && (
        <>
          <h2 id="permissions">Permissions</h2>
          <p class="prose">
            <Words words={resource.permissions} />
          </p>
        </>
      )}
    </ExplorerFrame>
  )
}

function Actions({ prefix, actions }: { prefix: string; actions: ExplorerEntry['actions'] }) {
  return (
    <Table caption="Actions" columns={['Action', 'Addresses', 'Login']}>
      {actions.map((action) => (
        <tr>
          <th scope="row">
            <a href={actionPath(prefix, action)}>{action.name}</a>
          </th>
          <td data-name="Addresses">
            {action.templates.map((template) => (
              <p>
                <code>
                  {action.endpoint.method} {template}
                </code>
              </p>
            ))}
          </td>
          <td data-name="Login">{action.endpoint.admission.login ? 'yes' : ''}</td>
        </tr>
      ))}
    </Table>
  )
}

function Attributes({ resource }: { resource: AnyResource }) {
  const { properties = {} } = schemas[resource.type] ?? {}
  const schemaOf = properties as Readonly<Record<string, JsonSchema>>
  return (
    <>
      <h2 id="attributes">Attributes</h2>
      <Table caption="Attributes" columns={['Attribute', 'Holds', 'Shown in']}>
        {attributesOf(resource).map((name) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td data-name="Holds">{wordsFor(schemaOf[name] ?? {})}</td>
            <td data-name="Shown in">
              <Words words={placesOf(resource, name)} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

/** The representations with this attribute, or else its `include`. Any attribute can be included. */
function placesOf({ representations, type }: AnyResource, name: string): string[] {
  const places = Object.entries(representations).flatMap(([place, names]) =>
    names.includes(name) ? [place] : [],
  )
  return places.length > 0 ? places : [`include=${type}.${name}`]
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <>
      {words.map((word) => (
        <>
          <code>{word}</code>{' '}
        </>
      ))}
    </>
  )
}
