//! Japanese phrases. Every Kanji or Kana is a word to the patterns, so `は?` is one optional character.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    ("残り", "残り その他 それ以外 ほか 他"),
    ("コード", "コード 実装 メソッド 関数 処理 部分 クラス ファイル ロジック 内容 設定 フィールド インポート テスト コンポーネント"),
    ("同じ", "同じ 変更なし 省略 変わらず 変更ありません そのまま 同様 既存のまま 変更無し"),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "@残り の? @コード は|も|を? 以前と|元と|前と|これまでと? @同じ です|します|のまま?"),
    (Elision, "以下|以降|中|前|後 は? 同様に? 省略|略 します?"),
    (Elision, "以下|中|前|後 略"),
    (Elision, "@コード は|を? 省略 します|しています|済み?"),
    (Elision, "簡潔 さ? の|に する? ため ~2 省略 ~2"),
    (Elision, "既存 の コード は|を? 省略|そのまま|変更なし|ここ?"),
    (Elision, "残り|その他 は 同じ|変更なし|省略|そのまま です|します?"),
    (Dotted, "@残り の? @コード"),
    (Dotted, "既存|以前|元|従来 の @コード は? @同じ?"),
    (Dotted, "変更なし|省略|以前と同じ|前と同じ|上と同じ|同上|変更無し|同じ"),
    (Promise, "^ 後で|あとで|のちほど|後ほど|ここに|ここで|今後 ~6 実装|追加 する|予定|します|してください? $"),
    (Promise, "^ ~6 未実装 です? $"),
    (Promise, "^ ~6 まだ 実装 していない|されていない|していません|されていません"),
    (Promise, "^ ~6 実装 予定 です? $"),
    (Promise, "TODO|FIXME ~12 実装"),
    (Confession, "^ 仮|暫定|ダミー|簡易|簡略化 の|的な|した? 実装|データ|値|処理|レスポンス|版 です|を返す|を返します? $"),
    (Confession, "^ とりあえず|いったん|一旦|ひとまず ~6 返す|返し|固定|空|仮|ダミー|ハードコード"),
    (Confession, "^ 本番 環境? では ~12 する|べき|必要|使う|使用|呼び出|置き換え"),
    (Confession, "実際 の 実装|アプリ|アプリケーション|システム|環境 では"),
    (StandIn, "仮の|仮実装|暫定|ダミー|とりあえず|いったん|一旦|ひとまず|未実装|簡易版|簡易実装|ハードコード|プレースホルダ|モック|スタブ"),
    (Empty, "意図的|わざと|何もしない|何もしません|何もする必要|無視|不要|あえて|空のまま|必要ない"),
    (StubMissing, "未実装|実装されていません|実装されていない|実装していません"),
    (StubPromise, "実装予定|後で実装|あとで実装"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... 残りのコードは同じ ...", Phrase::Elision),
            ("その他のメソッドは変更なし", Phrase::Elision),
            ("… 既存のコード …", Phrase::Elision),
            ("（以下省略）", Phrase::Elision),
            ("中略", Phrase::Elision),
            ("後で実装する", Phrase::Promise),
            ("未実装", Phrase::Promise),
            ("TODO: キャッシュを実装する", Phrase::Promise),
            ("ここに処理を追加する", Phrase::Promise),
            ("仮の実装", Phrase::Confession),
            ("ダミーデータ", Phrase::Confession),
            ("とりあえず空の配列を返す", Phrase::Confession),
            ("実際の実装ではデータベースに問い合わせる", Phrase::Confession),
            ("本番環境ではトークンを検証する", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("とりあえず固定値"));
        assert!(explains_emptiness("意図的に空"));
        assert_eq!(stub_wording("未実装です"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "残りのバイト数を返す",
            "省略時は既定値を使う",
            "インターフェースを実装する",
            "その他のオプションは次に渡す",
            "ダミー変数の係数",
            "本番環境では無効",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
