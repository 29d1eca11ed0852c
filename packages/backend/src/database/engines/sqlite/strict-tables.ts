import {
  type CreateTableNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
  type RootOperationNode,
} from 'kysely';

const STRICT_TYPES: readonly string[] = ['text', 'integer', 'real', 'blob'];

/** `bigint` is PostgreSQL's name for what SQLite calls `integer`; the migrator's own tables use `varchar`. */
class StrictTypes extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    const { dataType } = node;
    if (dataType === 'bigint') return DataTypeNode.create('integer');
    return dataType.startsWith('varchar') ? DataTypeNode.create('text') : node;
  }
}

const isStrict = ({ dataType }: CreateTableNode['columns'][number]) =>
  DataTypeNode.is(dataType) && STRICT_TYPES.includes(dataType.dataType);

/**
 * Makes the tables of migrations STRICT on SQLite, so that a column holds what its type says, as it does on
 * PostgreSQL. Tables with a type that SQLite does not know, or with an ending of their own, stay as they are.
 */
export function strictTables(): KyselyPlugin {
  const types = new StrictTypes();
  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      if (node.kind !== 'CreateTableNode' && node.kind !== 'AlterTableNode') return node;
      const typed = types.transformNode(node, queryId);
      if (typed.kind !== 'CreateTableNode' || typed.endModifiers || !typed.columns.every(isStrict))
        return typed;
      return { ...typed, endModifiers: [RawNode.createWithSql('strict')] };
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  };
}
