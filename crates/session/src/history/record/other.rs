//! Plans, images, limits, upgrades.

use recount_formats::Json;
use recount_formats::json::Kind;
use serde::{Serialize, Serializer};

use crate::history::time::Timestamp;
use crate::history::wire::{Fault, Read, object, words};
use crate::json::RawJson;

words! {
    /// The icons that have names.
    NamedIcon {
        /// An idea.
        LightBulb = "light_bulb",
        /// A start.
        Rocket = "rocket",
        /// A list.
        Clipboard = "clipboard",
    }
}

object! {
    /// An icon of one's own.
    CustomIcon {
        /// The sign.
        custom: String,
    }
}

/// The icon of a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanIcon {
    /// One that has a name.
    Named(NamedIcon),
    /// One's own.
    Custom(CustomIcon),
}

impl Read for PlanIcon {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.is_object() {
            CustomIcon::read(value).map(Self::Custom)
        } else {
            NamedIcon::read(value).map(Self::Named)
        }
    }
}

impl Serialize for PlanIcon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(icon) => icon.serialize(serializer),
            Self::Custom(icon) => icon.serialize(serializer),
        }
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for PlanIcon {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PlanIcon".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let named = generator.subschema_for::<NamedIcon>();
        let custom = generator.subschema_for::<CustomIcon>();
        let either = serde_json::json!({ "anyOf": [named.to_value(), custom.to_value()] });
        crate::history::schema::made(either)
    }
}

words! {
    /// How a step stands.
    StepStatus {
        /// It is to come.
        Pending = "pending",
        /// It is being done.
        InProgress = "in_progress",
        /// It is done.
        Complete = "complete",
        /// It was left out.
        Skipped = "skipped",
    }
}

object! {
    /// A step of a plan.
    PlanStep {
        /// What is to be done.
        description: String,
        /// How it stands.
        status: StepStatus,
    }
}

object! {
    /// How far a plan is.
    PlanProgress {
        /// Steps that are done.
        completed: u64,
        /// All steps.
        total: u64,
    }
}

object! {
    /// A plan with its steps.
    PlanUpdate {
        /// What it is called.
        name: String,
        /// Its icon.
        icon: PlanIcon,
        /// How far it is.
        progress: PlanProgress,
        /// The steps.
        steps: Vec<PlanStep>,
    }
}

object! {
    /// A newer version is there.
    UpgradeNotice {
        /// The version that runs.
        current_version: String,
        /// The newest one.
        latest_version: String,
        /// What the person is told.
        message: String,
    }
}

object! {
    /// An image.
    Image {
        /// Where it is; an image that stands in the transcript is named by its media type.
        path: String,
        ? /// What is said about it.
        caption: String,
        ? /// What is known about it, an object.
        metadata: JsonObject,
    }
}

/// Any JSON object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct JsonObject(RawJson);

impl JsonObject {
    /// The object.
    pub const fn json(&self) -> &RawJson {
        &self.0
    }

    /// Makes one from members.
    pub fn of(members: serde_json::Map<String, serde_json::Value>) -> Self {
        Self(RawJson::of(&serde_json::Value::Object(members)))
    }
}

impl Read for JsonObject {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.is_object() {
            Ok(Self(RawJson::new(value)))
        } else {
            Err(Fault::new(format!("expected object, found {}", value.kind().name())))
        }
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for JsonObject {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonObject".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        crate::history::schema::made(serde_json::json!({ "type": "object" }))
    }
}

/// A percentage: a number from 0, with no upper limit, in the spelling in which it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Percent(RawJson);

impl Percent {
    /// A percentage that is at hand; what is no number from 0 is 0.
    pub fn of(percent: f64) -> Self {
        let percent = if percent.is_finite() { percent.max(0.0) } else { 0.0 };
        Self(RawJson::of(&percent.into()))
    }

    /// The number, rounded to what a double holds.
    pub fn get(&self) -> f64 {
        self.0.get().as_f64().unwrap_or(0.0)
    }
}

impl Read for Percent {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.kind() != Kind::Number {
            return Err(Fault::new(format!("expected number, found {}", value.kind().name())));
        }
        if value.as_f64().is_none_or(|n| n < 0.0) {
            return Err(Fault::new(format!("{value:?} is below 0")));
        }
        Ok(Self(RawJson::new(value)))
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for Percent {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        crate::history::schema::made(serde_json::json!({ "type": "number", "minimum": 0 }))
    }
}

object! {
    /// How much of the rate limits is used.
    RateLimits {
        /// Percent of the first window.
        primary_used_percent: Percent,
        /// Percent of the second window.
        secondary_used_percent: Percent,
        ? /// The first window in percent of the second.
        primary_to_secondary_ratio_percent: Percent,
        ? /// Length of the first window in minutes.
        primary_window_minutes: u64,
        ? /// Length of the second window in minutes.
        secondary_window_minutes: u64,
        ? /// Seconds until the first window begins anew.
        primary_reset_after_seconds: u64,
        ? /// Seconds until the second window begins anew.
        secondary_reset_after_seconds: u64,
        ? /// When the first window begins anew.
        primary_reset_at: Timestamp,
        ? /// When the second window begins anew.
        secondary_reset_at: Timestamp,
    }
}
