/** The schema of a server's tool as every provider takes it: one type at each place, nothing referred to, an object at the top. */

import { withUnseenNamed } from '../base/visible.js';
import { asLoose, type Loose } from './loose.js';

/** Deeper than that a schema says nothing more. */
const DEEPEST = 12;
/** So many places in one (a reference that refers to many can make many of few). */
const MOST_PLACES = 2000;
/** Of a description so much is kept (characters). */
const DESCRIBED = 1000;
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** What providers take as the name of a property (Anthropic's rule is the strictest). */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
/** What may be anything. */
const ANY: Loose = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'object', properties: {} }] };

/** The schema for models, or why there can be none. */
export function toolSchema(raw: unknown): { readonly schema: Loose } | { readonly problem: string } {
  const root = asLoose(raw);
  if (root === null) return { problem: 'its schema is no object' };
  const walk = new Walk(root);
  const top = walk.resolved(root, []);
  if (top['type'] !== undefined && top['type'] !== 'object') return { problem: `its schema is of type ${JSON.stringify(top['type'])}` };
  const schema = walk.object(top, 0, []);
  return walk.problem === null ? { schema } : { problem: walk.problem };
}

class Walk {
  readonly #root: Loose;
  #places = 0;
  problem: string | null = null;

  constructor(root: Loose) {
    this.#root = root;
  }

  /** What it refers to; a circle ends in an object of any kind. */
  resolved(schema: Loose, through: readonly string[]): Loose {
    const ref = schema['$ref'];
    if (typeof ref !== 'string') return schema;
    if (through.includes(ref) || !ref.startsWith('#/')) return { type: 'object' };
    const found = ref
      .slice(2)
      .split('/')
      .reduce<Loose | null>((at, part) => asLoose(at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]), this.#root);
    return found === null ? { type: 'object' } : this.resolved(found, [...through, ref]);
  }

  #part(raw: unknown, depth: number, through: readonly string[]): Loose {
    const given = asLoose(raw);
    this.#places++;
    if (this.#places > MOST_PLACES) this.problem ??= 'its schema is too large';
    if (given === null || depth > DEEPEST || this.problem !== null) return ANY;
    const ref = given['$ref'];
    const schema = this.resolved(given, through);
    const inside = typeof ref === 'string' ? [...through, ref] : through;
    const said = describedBy(given) ?? describedBy(schema);
    const described = said === undefined ? {} : { description: said };
    const values = 'const' in schema ? [schema['const']] : schema['enum'];
    const branches = schema['anyOf'] ?? schema['oneOf'];
    const all = schema['allOf'];
    const type = typeOf(schema);
    if (type === 'object') return { ...this.object(schema, depth, inside), ...described };
    if (type === 'array')
      return {
        type,
        items: this.#part(itemsOf(schema), depth + 1, inside),
        ...bounds(schema, ['minItems', 'maxItems'], isCount),
        ...described,
      };
    const choice = Array.isArray(values) ? choiceOf(values, type) : null;
    if (choice !== null) return { ...choice, ...described };
    if (type !== undefined) return { type, ...bounds(schema, ['minimum', 'maximum']), ...described };
    if (Array.isArray(branches) && branches.length > 0)
      return { anyOf: branches.slice(0, 20).map((branch) => this.#part(branch, depth + 1, inside)), ...described };
    if (Array.isArray(all) && all.length > 0)
      return { ...this.#part(Object.assign({}, ...all.map((one) => asLoose(one) ?? {})), depth + 1, inside), ...described };
    return { ...ANY, ...described };
  }

  /** An object with its properties, as far as they can be named; one that is required and cannot be is a problem. */
  object(schema: Loose, depth: number, through: readonly string[]): Loose {
    const required = Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
    const properties: Record<string, Loose> = {};
    for (const [name, raw] of Object.entries(asLoose(schema['properties']) ?? {})) {
      if (PROPERTY.test(name)) properties[name] = this.#part(raw, depth + 1, through);
      else if (required.includes(name))
        this.problem ??= `its argument ${JSON.stringify(name.slice(0, 80))} has a name that models cannot write`;
    }
    const needed = required.filter((name) => Object.hasOwn(properties, name));
    return { type: 'object', properties, ...(needed.length === 0 ? {} : { required: needed }) };
  }
}

function typeOf(schema: Loose): string | undefined {
  const { type } = schema;
  const one = Array.isArray(type) ? (type.find((of) => of !== 'null') ?? type[0]) : type;
  if (TYPES.has(one)) return one as string;
  if (asLoose(schema['properties']) !== null) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}

/** Those of the values that are of one type, which is that of the first when none is said; null: there are none. */
function choiceOf(values: readonly unknown[], said: string | undefined): Loose | null {
  const [first] = values;
  const type = said ?? (typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string');
  const kind = type === 'integer' ? 'number' : type;
  const fitting = values.filter((value) => typeof value === kind && (typeof value !== 'string' || value.isWellFormed()));
  return fitting.length === 0 ? null : { type, enum: [...new Set(fitting)] };
}

/** Of a tuple the first kind stands for all. */
function itemsOf(schema: Loose): unknown {
  const { items, prefixItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems[0] : undefined;
  return (Array.isArray(items) ? items[0] : items) ?? first ?? {};
}

function bounds(schema: Loose, names: readonly string[], isOne = Number.isFinite): Loose {
  return Object.fromEntries(names.flatMap((name) => (isOne(schema[name]) ? [[name, schema[name]]] : [])));
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function describedBy(schema: Loose): string | undefined {
  const { description } = schema;
  return typeof description === 'string' ? withUnseenNamed(description.slice(0, DESCRIBED).toWellFormed()) : undefined;
}
