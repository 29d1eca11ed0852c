import {
  type AlterColumnNode,
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
  type RootOperationNode,
} from 'kysely';

/** Returns the type of a column of a migration that has the range and the order of SQLite's type. */
function strict(type: OperationNode): OperationNode {
  if (!DataTypeNode.is(type)) return type;
  const { dataType } = type;
  // Texts are compared by their code points, whatever the language of the server.
  if (dataType === 'text' || dataType.startsWith('varchar'))
    return RawNode.createWithSql(`${dataType} collate "C"`);
  // SQLite's integer has eight bytes.
  return dataType === 'integer' ? DataTypeNode.create('bigint') : type;
}

class StrictTypes extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    return { ...super.transformColumnDefinition(node), dataType: strict(node.dataType) };
  }

  protected override transformAlterColumn(node: AlterColumnNode): AlterColumnNode {
    const transformed = super.transformAlterColumn(node);
    return node.dataType ? { ...transformed, dataType: strict(node.dataType) } : transformed;
  }
}

/** Returns a plugin that defines the columns of migrations so that both engines return the same. */
export function strictColumns(): KyselyPlugin {
  const types = new StrictTypes();
  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      if (node.kind !== 'CreateTableNode' && node.kind !== 'AlterTableNode') return node;
      return types.transformNode(node, queryId);
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  };
}
